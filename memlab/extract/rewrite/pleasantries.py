"""What keeps a conversation going and tells nothing: greetings, thanks, praise, good wishes."""

import re

from memlab.extract.rewrite.words import words

FILLERS = words("fillers")
VERY = r"(?:so |really |super |pretty |totally |truly |absolutely |very )*"
LOVELY = (
    "(?:awesome|amazing|great|good|cool|nice|lovely|wonderful|incredible|fantastic|beautiful|gorgeous|sweet|adorable|cute|"
    "stunning|impressive|inspiring|exciting|interesting|brilliant|perfect|fun|smart|solid|wild|rough|tough|awful)"
)
PHRASES = (
    r"(?:thanks|thank you|thx)\b.{0,60}",
    r"congrat\w*\b.{0,80}",
    r"good luck\b.*",
    r"i'm (?:so )?(?:glad|happy|sorry) (?:to hear|you)\b.{0,50}",
    r"(?:i )?can't wait to (?:hear|see)\b.{0,40}",
    r"(?:glad|happy|great|good|nice|sorry|awesome) to (?:hear|see|know)\b.{0,60}",
    r"keep (?:it|me|up|going|pushing|at|shining|chasing|believing|spreading|being|on|doing)\b.{0,60}",
    r"(?:talk|see|catch|speak) (?:to |with )?(?:you|ya|u)\b.{0,40}",
    r"(?:take|bye|goodbye|have) (?:care|a|an|fun)\b.{0,40}",
    r"(?:you're|ur|you are) welcome\b.{0,30}",
    rf"(?:that |it )?sounds (?:like )?(?:such )?(?:an? )?{VERY}(?:{LOVELY}|fulfilling|rewarding|blast)\b.{{0,25}}",
    rf"(?:wow )?(?:that's|that is|what|it's|that sounds like) (?:such )?an? {VERY}{LOVELY} [\w-]+(?: [\w-]+)?",
    rf"(?:that|those|these|your|this) [\w-]+(?: [\w-]+)?(?:'s| is| are| looks?| sounds?| was| were) {VERY}{LOVELY}",
    rf"(?:wow,? )?(?:that|this|it)(?:'s| is| looks| sounds) {VERY}{LOVELY}\W*",
    rf"{VERY}{LOVELY} \w+",
    r"sorry (?:i|for|about)\b.{0,40}",
    r"all the best\b.{0,40}",
    r"that makes sense\b.{0,20}",
    r"(?:let|keep) me (?:know|posted|updated)\b.{0,60}",
    r"(?:i'm|i am) (?:always )?here (?:for|if|to)\b.{0,30}",
    r"(?:i'm |so )?proud of (?:you|ya)\b.{0,40}",
    r"(?:i )?hope (?:you|all|everything|things|it|ya)(?:'s|'re)?\b.{0,40}",
    r"(?:it's )?(?:great|good|nice) (?:chatting|talking|catching|seeing|hearing)\b.{0,40}",
    r"(?:i )?(?:really )?appreciate (?:it|you|that|your)\b.{0,50}",
    r"(?:hey|hi|hello)\b.{0,20}",
    r"long time no (?:see|talk|chat)\b.*",
)
PHRASE = re.compile(rf"(?:(?:and|so|well|but) )?(?:{'|'.join(PHRASES)})", re.IGNORECASE)
OPENERS = (
    r"hey|hi|hello|wow|whoa|woah|oh|ooh|ah|ahh|aw+|hmm|um|uh|ha(?:ha)*|lol|hehe|yay|gosh|omg|woo-?hoo|man|dude",
    r"oh yeah|oh wow|oh no|aw man",
    r"yeah|yea|yep|yes|yup|sure|for sure|totally|totally agree|absolutely|definitely|of course|exactly|agreed",
    r"true|right|right on|same here|okay|ok|cool|nice|great|awesome|amazing|sweet",
    r"good (?:question|point|call)|congrats|sorry",
    r"thanks(?: so much| a lot| a ton| a bunch)?|thank you(?: so much)?|thx|no (?:problem|worries|prob)",
    r"well|so|btw|by the way|anyways?|anyhow|actually|speaking of which|guess what",
)
OPENER = re.compile(
    rf"(?:(?:{'|'.join(OPENERS)})(?:\s(?-i:[A-Z])\w+)?\s*(?:[,!.:;]+|\s[-\u2013\u2014]+)\s*)+", re.IGNORECASE
)
WORD = re.compile(r"[\w']+")


def is_pleasantry(sentence: str, names: frozenset[str]) -> bool:
    """Tell whether a sentence tells nothing; `names` are the lower-case words that call the two speakers."""
    said = {word.strip("'") for word in WORD.findall(sentence.lower())} - {""}
    return said <= FILLERS | names or bool(PHRASE.fullmatch(sentence.rstrip(" .!)(:;")))


def without_opener(sentence: str) -> str:
    """Return a sentence without what only opens it (`Wow, ...`, `Yeah, ...`); `No, ...` tells something and stays."""
    found = OPENER.match(sentence)
    return sentence[found.end() :] if found else sentence
