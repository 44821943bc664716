"""Words that name the important pages of a site, by kind, in common languages.

Written as in a path or link. Compared without case, accents, spaces and punctuation.
"""

from apps.drafts.extraction.text.cleaning import fold, words_of

KINDS = {
    "about": words_of("""
        about about-us our-story company who-we-are mission über-uns ueber-uns unternehmen à-propos
        qui-sommes-nous sobre sobre-nosotros sobre-nós quiénes-somos quem-somos acerca-de chi-siamo azienda
        over-ons om-oss om-os o-nas o-firmie о-нас о-компании hakkımızda hakkimizda meistä 会社概要
        私たちについて 关于 关于我们 關於我們 회사소개 소개 our-mission our-company the-company company-profile
        company-info about-the-company history our-history wer-wir-sind firma das-unternehmen notre-histoire
        notre-mission l-entreprise la-empresa empresa nosotros nuestra-historia a-empresa
        nossa-história la-nostra-storia la-società wie-zijn-wij het-bedrijf företaget om-företaget virksomheden
        о-проекте наша-история kurumsal biz-kimiz 企業情報 会社案内 公司介绍 公司簡介 회사-소개
    """),
    "pricing": words_of("""
        pricing prices price plans plans-and-pricing plans-pricing pricing-plans preise preis tarife tarifs prix
        precios planes tarifas preços planos prezzi piani tariffe prijzen tarieven priser prissättning hinnat
        cennik ceny тарифы цены fiyatlar fiyatlandırma 料金 料金プラン 价格 定价 價格 요금 가격 cost costs fees
        premium go-premium get-premium upgrade go-pro membership
        rates subscriptions packages buy our-prices pricing-and-plans plans-and-prices price-list preisliste
        preise-und-pakete pakete kosten abos abonnements nos-tarifs nos-offres formules tarifs-et-offres
        precios-y-planes planes-y-precios planes-y-tarifas planos-e-preços assinaturas prezzi-e-piani
        listino prijs abonnementen prijzen-en-pakketten priser-och-paket abonnemang priset cennik-i-plany
        pris prislista prisliste abonnement precio preço prezzo ceník ceník-služeb cenník árak hinnasto
        стоимость прайс тарифы-и-цены ücretler ücretlendirme paketler プラン 費用 价格方案 收费 定價 요금제
    """),
    "faq": words_of("""
        faq faqs frequently-asked-questions questions häufige-fragen haeufige-fragen fragen foire-aux-questions
        preguntas-frecuentes perguntas-frequentes domande-frequenti veelgestelde-vragen vanliga-frågor pytania
        вопросы вопросы-и-ответы sss よくある質問 常见问题 常見問題 자주묻는질문 f-a-q q-a qna faqs-and-help
        help-faq common-questions questions-and-answers faq-hilfe fragen-und-antworten questions-fréquentes
        questions-réponses preguntas dudas perguntas dúvidas domande vragen-en-antwoorden frågor-och-svar
        spørgsmål-og-svar ofte-stilte-spørsmål ofte-stillede-spørgsmål usein-kysyttyä najczęstsze-pytania
        pytania-i-odpowiedzi частые-вопросы sıkça-sorulan-sorular よくあるご質問 问答 자주-묻는-질문 časté-dotazy
        často-kladené-dotazy časté-otázky gyakori-kérdések usein-kysytyt-kysymykset întrebări-frecvente
        vanlige-spørsmål συχνές-ερωτήσεις поширені-запитання الأسئلة-الشائعة שאלות-נפוצות
    """),
    "team": words_of("""
        team our-team the-team meet-the-team people founders leadership das-team unser-team équipe l-équipe
        notre-équipe equipo nuestro-equipo equipe ekipa zespół команда ekibimiz チーム 团队 團隊 팀 our-people
        the-people about-the-team management management-team leadership-team executive-team founder our-founders
        who-is-behind unsere-leute ansprechpartner menschen geschäftsführung les-gens qui-est-derrière
        fondateurs el-equipo nuestra-gente fundadores a-equipe nossa-equipe il-team il-nostro-team
        chi-c-è-dietro ons-team vårt-team teamet vores-team nasz-zespół наша-команда основатели takım メンバー
        チーム紹介 我们的团队 우리-팀
    """),
    "blog": words_of("""
        blog news journal articles newsroom aktuelles neuigkeiten actualités noticias notícias notizie nieuws
        nyheter aktualności блог новости haberler ブログ お知らせ 博客 新闻 블로그 press press-releases
        pressroom announcements media-center latest-news company-news stories insights posts magazin magazine
        presse pressemitteilungen communiqués prensa notas-de-prensa artículos artigos imprensa articoli
        comunicati-stampa persberichten artikelen artiklar artykuły prasa статьи пресс-центр basın ニュース
        プレスリリース 新聞 资讯 最新消息 뉴스 소식
    """),
    "contact": words_of("""
        contact contact-us get-in-touch kontakt kontaktieren impressum contacto contáctanos contato contatti
        contatto contactez contactez-nous nous-contacter yhteystiedot контакты iletişim お問い合わせ 联系我们
        聯絡我們 문의 contacts contact-sales reach-us talk-to-us kontaktformular nous-écrire contacta contacte
        fale-conosco scrivici neem-contact-op kontakta-oss kontakt-os kontakt-oss ota-yhteyttä skontaktuj-się
        связаться-с-нами bize-ulaşın コンタクト 联系 联络我们 연락처
    """),
    "docs": words_of("""
        docs documentation doc developers developer api-docs api-documentation api api-reference guides guide
        manual dokumentation documentación documentação documentazione dokumentacja документация ドキュメント
        文档 문서 read-the-docs api-docs-and-guides reference user-guide knowledge-base handbuch anleitung
        entwickler développeurs guide-utilisateur desarrolladores guía documentatie dokumentation-und-api
        dokumentaatio разработчикам dokümantasyon 開発者 开发文档 開發文件 개발자
    """),
    "changelog": words_of("""
        changelog release-notes releases what-s-new whats-new versions version-history product-updates updates
        neuerungen nouveautés novedades novidades novità обновления 更新履歴 更新日志 change-log release-log
        release-history releasenotes whats-new-in latest-updates product-news version-notes änderungsprotokoll
        versionshinweise versionen notes-de-version journal-des-modifications quoi-de-neuf notas-de-la-versión
        registro-de-cambios actualizaciones notas-de-versão atualizações note-di-rilascio aggiornamenti
        wijzigingen release-opmerkingen uppdateringar ändringslogg lista-zmian zmiany список-изменений
        история-изменений sürüm-notları リリースノート 变更日志 發布說明 릴리스-노트 업데이트
    """),
}
KIND_OF = {fold(word): kind for kind, words in KINDS.items() for word in words}

# Pages with similar content, used if a site has none of the words above.
WEAK_KINDS = {
    "about": words_of("""
        legal-notice imprint legal mentions-légales aviso-legal vision values unsere-werte
    """),
    "faq": words_of("""
        help help-center help-centre support hilfe aide ayuda ajuda aiuto assistenza hjälp hjælp pomoc помощь
        yardım ヘルプ 帮助
    """),
    "docs": words_of("""
        getting-started quickstart quick-start tutorials learn
    """),
}
WEAK_KIND_OF = {fold(word): kind for kind, words in WEAK_KINDS.items() for word in words}

# Words that may accompany a page's name in a link.
SMALL_WORDS = frozenset(
    fold(word)
    for word in words_of("""
        our the a an to see view read visit check out all more at of on for full get explore browse
        unsere unser unseren unserem das die der den zum zur zu im alle mehr
        notre nos le la les voir lire au aux du de tous nuestro nuestra nuestros el los las ver todo del
        nosso nossa o os as do da nos il lo i gli vedi tutti onze ons het bekijk vår våra vores nasz nasza zobacz
        наш наша наши
    """)
)
