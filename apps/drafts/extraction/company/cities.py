"""Large cities whose name means one place when no country or state follows."""

from apps.drafts.extraction.text.cleaning import fold

# Left out are names that another country shares with a city of its own, such as Córdoba, Valencia and Birmingham.
COUNTRY_OF_CITY = {
    fold(name): entry[:2]
    for entry in """
AE Dubai Abu-Dhabi Sharjah|AM Yerevan|AR Buenos-Aires|AT Wien Vienna Graz Linz Salzburg Innsbruck
AU Sydney Melbourne Brisbane Adelaide Canberra|AZ Baku|BD Dhaka Chittagong
BE Bruxelles Brussels Brussel Antwerpen Antwerp Gent Ghent Leuven Liège|BG Sofia София Plovdiv Пловдив
BR São-Paulo Rio-de-Janeiro Belo-Horizonte Curitiba Florianópolis Porto-Alegre Recife Brasília Fortaleza Goiânia
CA Toronto Montréal Ottawa Calgary Edmonton Winnipeg|CH Zürich Zurich Genève Geneva Lausanne Winterthur St.-Gallen
CL Santiago-de-Chile|CN 北京 上海 深圳 广州 杭州 Beijing Shanghai Shenzhen Guangzhou Hangzhou|CO Bogotá Medellín
CY Nicosia Limassol|CZ Praha Prague Brno Ostrava Olomouc
DE Berlin München Munich Hamburg Köln Cologne Leipzig Stuttgart Düsseldorf Dortmund Dresden Hannover Nürnberg Karlsruhe
DE Mannheim Münster Heidelberg Darmstadt Augsburg Bielefeld Frankfurt-am-Main
DK København Copenhagen Aarhus Odense Aalborg|EC Quito Guayaquil|EE Tallinn Tartu|EG Cairo القاهرة
ES Madrid Barcelona Sevilla Bilbao Zaragoza Málaga|ET Addis-Ababa|FI Helsinki Tampere Espoo Turku Oulu
FR Paris Lyon Marseille Toulouse Nantes Bordeaux Lille Rennes Strasbourg Montpellier Grenoble
GB London Edinburgh Glasgow Leeds Sheffield|GE Tbilisi|GH Accra|GR Athina Αθήνα Θεσσαλονίκη Thessaloniki
HK Hong-Kong|HR Zagreb Rijeka|HU Budapest Debrecen Szeged
ID Jakarta Surabaya Bandung Yogyakarta|IE Dublin Galway Limerick|IL Tel-Aviv Haifa תל-אביב
IN Bengaluru Bangalore Mumbai Delhi New-Delhi Pune Chennai Kolkata Ahmedabad Gurugram Gurgaon Noida Jaipur Indore
IN Coimbatore Chandigarh Lucknow Nagpur Thiruvananthapuram|IS Reykjavík
IT Milano Milan Roma Torino Turin Bologna Firenze Napoli Genova Padova Verona Bergamo
JP Tokyo 東京 Osaka 大阪 Kyoto 京都 Fukuoka 福岡 Nagoya 名古屋 Sapporo 札幌|KE Nairobi|KR Seoul 서울 Busan 부산
KZ Almaty Astana|LK Colombo|LT Vilnius Kaunas|LV Riga Rīga|MA Casablanca Marrakech
MX Ciudad-de-México Monterrey Tijuana|MY Kuala-Lumpur Penang|NG Lagos Abuja Ibadan
NL Amsterdam Rotterdam Utrecht Eindhoven Groningen Haarlem Nijmegen Delft Den-Haag
NO Oslo Bergen Trondheim Stavanger|NP Kathmandu|NZ Auckland Christchurch|PE Lima|PH Manila Makati Cebu-City
PK Karachi Lahore Islamabad
PL Warszawa Warsaw Kraków Wrocław Wroclaw Poznań Gdańsk Gdynia Łódź Katowice Lublin Szczecin
PT Lisboa Lisbon Porto Braga Coimbra Aveiro|QA Doha|RO București Bucharest Cluj-Napoca Timișoara Iași Brașov
RS Beograd Belgrade Novi-Sad|RU Москва Санкт-Петербург Moscow|SA Riyadh Jeddah الرياض جدة
SE Stockholm Göteborg Gothenburg Malmö Uppsala Linköping Västerås Örebro Norrköping Helsingborg Umeå
SG Singapore|SI Ljubljana Maribor|SK Bratislava Košice|TH Bangkok กรุงเทพฯ|TN Tunis
TR İstanbul Istanbul Ankara İzmir Izmir
TW Taipei 台北 Kaohsiung 高雄 Taichung 台中|UA Kyiv Lviv Київ Львів Kharkiv Dnipro
US San-Francisco New-York New-York-City Brooklyn Los-Angeles Seattle Chicago San-Diego Philadelphia Boston Denver
US Minneapolis Pittsburgh Salt-Lake-City Palo-Alto Boulder
UY Montevideo|UZ Tashkent|VN Hanoi Hà-Nội Ho-Chi-Minh-City Da-Nang|ZA Johannesburg Cape-Town Pretoria
""".replace("\n", "|").split("|")
    if entry
    for name in entry.split()[1:]
}
