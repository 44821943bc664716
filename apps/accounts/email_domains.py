"""Email domains that say nothing about who belongs together."""

# Anyone gets a mailbox here, so that voters with the same domain have nothing in common.
LARGE_PROVIDERS = frozenset(
    """
    126.com 139.com 163.com 21cn.com abv.bg aliyun.com aol.com appleid.com arcor.de bigpond.com bk.ru bluewin.ch
    bt.com btinternet.com centrum.cz charter.net chello.at comcast.net cox.net daum.net docomo.ne.jp duck.com
    earthlink.net email.cz ezweb.ne.jp fastmail.com fastmail.fm foxmail.com free.fr freenet.de gazeta.pl gmail.com
    gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.be hotmail.ca hotmail.co.uk
    hotmail.com hotmail.com.ar hotmail.com.br hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hotmail.se
    hushmail.com icloud.com inbox.lv inbox.ru interia.pl kakao.com laposte.net libero.it list.ru live.be live.ca
    live.co.uk live.com live.com.au live.com.mx live.com.pt live.de live.dk live.fr live.in live.it live.nl live.se
    mac.com mail.com mail.ru mailbox.org me.com msn.com naver.com neuf.fr o2.pl onet.pl op.pl optonline.net
    optusnet.com.au orange.fr outlook.at outlook.be outlook.com outlook.com.au outlook.com.br outlook.de outlook.es
    outlook.fr outlook.in outlook.it outlook.jp outlook.kr outlook.pt pm.me posteo.de posteo.net proton.me
    protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com rogers.com runbox.com sapo.pt
    sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com skynet.be softbank.ne.jp startmail.com sympatico.ca
    t-online.de talktalk.net telenet.be telia.com terra.com.br tim.it tin.it tiscali.it tuta.com tuta.io
    tutanota.com ukr.net uol.com.br verizon.net virgilio.it virginmedia.com vodafone.it wanadoo.fr web.de wp.pl
    xs4all.nl xtra.co.nz yahoo.at yahoo.be yahoo.ca yahoo.co.id yahoo.co.in yahoo.co.jp yahoo.co.nz yahoo.co.th
    yahoo.co.uk yahoo.co.za yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.hk yahoo.com.mx yahoo.com.my
    yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.vn yahoo.de yahoo.dk yahoo.es yahoo.fr yahoo.gr
    yahoo.ie yahoo.it yahoo.nl yahoo.no yahoo.pl yahoo.ro yahoo.se yandex.com yandex.ru yeah.net ymail.com ziggo.nl
    zoho.com zoho.eu zoho.in zohomail.com
    """.split()  # noqa: SIM905 - a list of lines would be longer than the page
)
