import pytest
from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The user prefers concise responses and dislikes verbose explanations.", "en"),
        ("What is this?", "en"),
        ("Der Nutzer wohnt nicht in Berlin, und das ist auch gut so.", "de"),
        ("Je ne sais pas où est la gare, mais c'est dans le centre.", "fr"),
        ("Me gusta el café, pero no me gusta la leche.", "es"),
        ("Eu não gosto de café, mas como uma maçã.", "pt"),
        ("Mi piace il caffè, ma non il tè con il latte.", "it"),
        ("Ik hou niet van koffie, maar het is wel een goed idee.", "nl"),
        ("今日は成語しりとりをした", "ja"),
        ("花子さんはPythonとPostgreSQLが得意です", "ja"),
        ("用户服务器部署在腾讯云国内节点", "zh"),
        ("저는 서울에 살고 있습니다", "ko"),
        ("Я живу в Москве", "ru"),
        ("Я живу у Києві", "uk"),
        ("Μένω στην Αθήνα", "el"),
        ("أعيش في القاهرة", "ar"),
        ("ฉันอาศัยอยู่ที่กรุงเทพ", "th"),
        ("मैं दिल्ली में रहता हूँ", "hi"),
        ("אני גר בתל אביב", "he"),
    ],
)
def test_the_language_of_a_sentence_is_told(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["12345", "👍👍", "PostgreSQL HikariCP", "", "..."])
def test_where_nothing_tells_no_language_is_claimed(text: str) -> None:
    assert detect_language(text) is None


def test_an_english_sentence_about_a_foreign_word_stays_english() -> None:
    assert detect_language("The word 思い出 is what one remembers of the past, in Japanese") == "en"


@given(st.text())
def test_any_text_is_answered(text: str) -> None:
    language = detect_language(text)

    assert language is None or len(language) == 2
