"""Search: the rule book's own functions compiled, and what imagines and tries with them.

Kernels know ints and arrays, no views, texts or bots. `compiled` says how Python becomes machine
code, `rounds` what a round of tricks is as an array, `playouts` and `policy` play one to its end.
`features` is what a policy looks at (`slots` names it), `folding` makes its nets small. `worlds`
and `deals` imagine hidden hands, `flat` tries cards in them, `worth` says what comes of
it. `learning` and `imitating` are how the policy came to its weights. `contracts`, `announcing`,
`jass` and `doubt` are for the games that need more.
"""

from jasstisch.extras import require

require("search", "searching")
