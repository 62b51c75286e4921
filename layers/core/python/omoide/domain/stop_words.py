"""Words that say little about what a text is about, per language, question words included."""

_ENGLISH = """
a about am an and any are as at be been being but by can could d did do does for from had has have
he her hers him his how i if in into is it its kind ll likely m may me might mine my of on or our
ours re s shall she should so some such t that the their them then there these they this to
type us
ve was we were what when where which who whom whose why will with would you your yours
"""
"""Articles, pronouns, prepositions, auxiliaries, question words and the ends of contractions."""

_JAPANESE = """
が の を に へ と で や も は か な だ よ ね さ わ ぞ ぜ て た し れ
です ます でし まし した して てい いる いた ある あっ った って から まで より では には
とは への での
との のは のが のを のに もの こと ため よう など だけ ほど けど ので のか
どこ いつ だれ なに なん どれ どの どう どん なぜ 何を 何が 何で 何の 何と 何に 何時 何処
誰が 誰と 誰に
誰の この その あの これ それ あれ ここ そこ ょう しょ んで だっ っけ たっ たの るの すか
ださ くだ さい
教え えて
"""
"""Particles, auxiliaries and question words, written as the one or two characters of a term."""

_CHINESE = """
的 了 是 在 和 与 吗 呢 吧 啊 也 都 就 还 很 把 被 给 我 你 他 她 它 们 这 那 之 其
我们 你们 他们 这个 那个 什么 哪里 哪个 哪些 怎么 怎样 为什 多少 几个 谁的 是什 么时 时候
一个 可以 请问 如何
"""
"""Particles, pronouns and question words of one or two characters."""

_KOREAN = """
이 가 은 는 을 를 의 에 와 과 도 로 만 나 너 그 저 것 수
에서 에게 으로 이다 입니 니다 습니 합니 했습 까요 나요 어요 아요 예요 이에 에요 하는 하고
했다 있다 있는
있습 였다 이었 무엇 뭐야 무슨 어디 언제 누구 누가 어떤 어떻 떻게 얼마 왜요 몇시 그런 이런
저런 나는 내가
너는 우리
"""
"""Particles, endings, pronouns and question words of one or two syllables."""

_NEGATIONS = "\nno nor not never none neither without cannot don ない なか 不 没 没有 안 못"
"""Noise in a search, though they turn a statement round."""

STOP_WORDS = frozenset((_ENGLISH + _JAPANESE + _CHINESE + _KOREAN + _NEGATIONS).split())
"""What a search leaves out of queries and memories."""
