"""The words that name the pages of a site that matter, by kind, in the languages of most sites.

Written as a path or a link has them; compared without case, accents, spaces and punctuation.
"""

from apps.drafts.extraction.text import fold, words_of

KINDS = {
    "about": words_of("""
        about about-us our-story company who-we-are mission über-uns ueber-uns unternehmen à-propos
        qui-sommes-nous sobre sobre-nosotros sobre-nós quiénes-somos quem-somos acerca-de chi-siamo azienda
        over-ons om-oss om-os o-nas o-firmie о-нас о-компании hakkımızda hakkimizda meistä 会社概要
        私たちについて 关于 关于我们 關於我們 회사소개 소개
    """),
    "pricing": words_of("""
        pricing prices price plans plans-and-pricing plans-pricing pricing-plans preise preis tarife tarifs
        prix precios planes tarifas preços planos prezzi piani tariffe prijzen tarieven priser prissättning
        hinnat cennik ceny тарифы цены fiyatlar fiyatlandırma 料金 料金プラン 价格 定价 價格 요금 가격
    """),
    "faq": words_of("""
        faq faqs frequently-asked-questions questions häufige-fragen haeufige-fragen fragen
        foire-aux-questions preguntas-frecuentes perguntas-frequentes domande-frequenti veelgestelde-vragen
        vanliga-frågor pytania вопросы вопросы-и-ответы sss よくある質問 常见问题 常見問題 자주묻는질문
    """),
    "team": words_of("""
        team our-team the-team meet-the-team people founders leadership das-team unser-team équipe l-équipe
        notre-équipe equipo nuestro-equipo equipe ekipa zespół команда ekibimiz チーム 团队 團隊 팀
    """),
    "blog": words_of("""
        blog news journal articles newsroom aktuelles neuigkeiten actualités noticias notícias notizie
        nieuws nyheter aktualności блог новости haberler ブログ お知らせ 博客 新闻 블로그
    """),
    "contact": words_of("""
        contact contact-us get-in-touch kontakt kontaktieren impressum contacto contáctanos contato
        contatti contatto contactez contactez-nous nous-contacter yhteystiedot контакты iletişim
        お問い合わせ 联系我们 聯絡我們 문의
    """),
    "docs": words_of("""
        docs documentation doc developers developer api-docs api-documentation api api-reference guides
        guide manual dokumentation documentación documentação documentazione dokumentacja документация
        ドキュメント 文档 문서
    """),
    "changelog": words_of("""
        changelog release-notes releases what-s-new whats-new versions version-history product-updates
        updates neuerungen nouveautés novedades novidades novità обновления 更新履歴 更新日志
    """),
}
KIND_OF = {fold(word): kind for kind, words in KINDS.items() for word in words}
