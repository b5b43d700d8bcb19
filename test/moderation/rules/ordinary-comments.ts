/** Comments as people write them, 50 in each language. None contains a word of a usual rule. */
export const ordinaryComments = {
  en: `This made my whole week, thank you!
Who else is watching this at 3 am? 😂
The telegraph was invented long before the telephone.
What's up everyone, greetings from Ohio
whats the app called that you use at 4:20?
Only fans of the first season will get this joke.
I need a bit of coin for the arcade lol
The editing on this one is sooooo good
Can we talk about that transition at 2:13?
I've been here since 1k subs ❤️
My dog barked at the screen the whole time
n i c e
W o w
Great recipe, but I'd use less salt.
He said "I'm free on Friday" and then never showed up
The gift shop at the museum is closed on Mondays.
Free will, gifted minds, and other topics
LOL the cat at the end
First!
Underrated channel, you deserve way more views
Why is nobody talking about the soundtrack?
I paused at 1:07 and it was worth it
Goooood morning from New Zealand
Yesss finally a new episode
A E S T H E T I C
That cryptic ending gave me chills
The crypt scene was filmed in Paris, I think
Scan the QR code at the museum, it's fun
I skimmed the article, the video is better
He's a bit coy about it
Essex and Sussex are both lovely in spring
Is it so? Me, I am on it as we do it.
It is up to us to do so, if we go on as is.
He is 6 ft 2 in, I am 5 ft 9
Spa music for my Sunday, love it
x² + y² = z² is all I remember from school
If ∂f/∂x = 0 then f is constant in x
∀x ∈ ℝ: x² ≥ 0, that's the whole proof
The IPA of "rather" is /ˈɹɑːðə/ where I live
Pronounced /ˈtɛlɪɡɹɑːf/, not the other way
π ≈ 3.14159 and τ = 2π, fight me
5 μm is tiny, a hair is 70 μm
It costs 30€ or £25 or $35, depending where
Temperature was -5°C, not -5°F…
"Naïve" and "café" keep their accents in my house
¯\\_(ツ)_/¯ whatever works
(╯°□°)╯︵ ┻━┻ me during the boss fight
✨ so pretty ✨
J. R. R. T. would have loved this
Please make a part two, part three, part everything`,
  de: `Tolles Video, danke dafür!
Endlich wieder ein neues Video 😍
Ich schaue dich seit fünf Jahren und es wird nie langweilig.
Kann mir jemand sagen, wie das Lied heißt?
Grüße aus Österreich 🇦🇹
Der Telegraf hat die Welt verändert.
Das Telegramm-Format von früher kennt heute keiner mehr.
Was geht ab, Leute?
Bin ich der Einzige, der das nicht versteht?
Die Straße am Ende sieht aus wie bei uns.
Süß, wie der Hund guckt
Sechs Minuten und kein bisschen langweilig
Ich hab’s zweimal gesehen
Wie alt bist du eigentlich?
Meeega gut!
Suuuper erklärt
Das Gift der Schlange ist ja krass
Frei nach Schiller
z. B. so, wie du es in Minute 3 zeigst
d. h. man muss vorher den Ofen anmachen
Krypta und Kirche sind beide sehenswert
Ich lach mich kaputt
Das ist Käse
Warum hat das so wenig Aufrufe?
Kannst du mal ein Video über Fahrräder machen?
Oma hat das immer genauso gekocht
Guten Morgen aus Köln ☀️
Erster!
Also ehrlich, das war nix.
Der Ton ist leider etwas leise
2,50 € für ein Brötchen, Wahnsinn
Ab 1:30 wird es interessant
Schöne Grüße an die Familie
Das ß gehört ins Alphabet
Größe L passt mir perfekt
Kaum zu glauben, dass das selbst gebaut ist
Mein Sohn möchte jetzt auch so eins
Da fehlt noch ein Schritt, oder?
Bitte mehr davon
Das Rezept hat super geklappt
Alles Gute zum Geburtstag 🎂
Hab direkt abonniert
Ich hätte gern mehr Infos zur Kamera
Nudeln gehen immer
Spaß muss sein
Szene 4 ist die beste
Es ist so, wie es ist
Ich kann es kaum erwarten
War das in Berlin?
Respekt für die Arbeit`,
  es: `¡Qué buen video, gracias!
Saludos desde Argentina 🇦🇷
Me encanta tu canal, nunca cambies
¿Alguien sabe cómo se llama la canción?
jajajajaja no puede ser
El telégrafo cambió el mundo
Mañana lo pruebo en casa
¡Holaaaa a todos!
Buenísimo, como siempre
Mi abuela lo hacía igual
¿Cuándo sale la segunda parte?
Está muy bien explicado
Sexto año viendo este canal
Nudo en la garganta con el final
Espero más vídeos así
No entendí el minuto 4:20
Primer comentario 😎
Gracias por tanto, perdón por tan poco
Te quedó espectacular
El perro es lo mejor del video
Desde Perú con mucho cariño
¿En qué ciudad grabaste esto?
Ya extrañaba tus videos
Lo vi con mi hijo y le encantó
La cripta de la catedral es preciosa
Qué lindo paisaje
Me hiciste llorar, en serio
Tan lindo que parece mentira
¿Qué cámara usas?
Ojalá tengas mucho éxito
Yo lo haría con menos azúcar
Cuesta 15 € en la tienda
Ñoño pero divertido
El pingüino me representa
A mí me pasó lo mismo
Uno de los mejores canales
Qué risa con tu hermano
Ese gol fue increíble
Vamosss
Es la verdad, la pura verdad
Un abrazo grande desde Chile
No sé si reír o llorar
Sí, se puede
Feliz cumpleaños atrasado
La música está muy alta
¿Puedes hacer uno de guitarra?
Lo mejor de la semana
Está de moda otra vez
Te falta sal, amigo
Nos vemos en el próximo`,
  fr: `Super vidéo, merci beaucoup !
C’est vraiment très bien expliqué.
J’adore ta chaîne depuis le début
Qu’est-ce que c’est beau…
Salut de Belgique 🇧🇪
Quelqu’un connaît le titre de la musique ?
L’été dernier j’y étais aussi
Le télégraphe a changé le monde
Aujourd’hui j’ai essayé, ça marche !
C'est l'heure d'aller dormir mais je regarde encore
Mdr le chat à la fin
Trop bieeeen
Bonjour à tous ☀️
Où as-tu filmé ça ?
J’ai pleuré à la fin
Merci d’avoir pris le temps
Premier !
Ça fait plaisir de te revoir
Le son est un peu faible
Quelle belle voix
On dirait ma grand-mère
Vivement la suite
Je n’ai pas compris le passage à 3:12
Il n’y a pas d’ail dans cette recette ?
Sixième fois que je regarde
La crypte de l’église est magnifique
Bravo pour tout ce travail
À quand un nouvel épisode ?
Ça coûte 12 € chez moi
Œuf ou fromage, telle est la question
Cœur sur toi ❤️
Tu m’as donné envie d’essayer
J’ai ri du début à la fin
N’importe quoi 😂
Mon fils l’a regardé dix fois
C’est tout à fait ça
Moi j’aurais mis moins de sucre
Le chien est adorable
Un grand merci de Genève
Toujours aussi drôle
Il a raison, il faut le dire
Ah, les vacances…
Au fait, quel appareil utilises-tu ?
Un peu long mais très bon
De la part de toute la famille, merci
Ce n’est pas si simple
Joyeux anniversaire en retard
L'an 2000 me semble si loin
Je suis d’accord avec toi
Bonne continuation`,
  ja: `今日の動画も最高でした！
いつも楽しく見ています
最初から最後まで笑いました
猫がかわいすぎる
この曲の名前を教えてください
おはようございます☀️
お疲れさまです
初コメ失礼します
次の動画も楽しみにしています
説明がとても分かりやすいです
字幕ありがとうございます
何回見ても飽きない
うちの犬も同じことをします
料理の才能がすごい
刀の手入れを初めて見ました
山と川の景色がきれい
東京に住んでいます
電報なんて久しぶりに聞いた
学校で習いたかった
wwwwww
草
それなwww
ﾜﾛﾀ
ｷﾀ━━(ﾟ∀ﾟ)━━!!
(´・ω・)ﾉ
ヽ(´▽｀)/
(≧∇≦)b
すごーーーい
やったああああ
えええええ
2:15のところが好き
家族みんなで見ました
お母さんの味ですね
泣きました
ありがとうございました
もっと評価されるべき
工作が上手ですね
口の動きが面白い
几帳面な性格が出ている
千年前の話とは思えない
乙女心がわかっている
下の方に書いてあるよ
丁寧な解説ですね
カメラは何を使っていますか？
音が少し小さいかも
登録しました
誕生日おめでとう🎂
応援しています
YouTubeで一番好きなチャンネル
また来週`,
  pt: `Que vídeo incrível, obrigado!
Saudações de Portugal 🇵🇹
Amei demais essa receita
Alguém sabe o nome da música?
kkkkkkkkk muito bom
O telégrafo mudou o mundo
Amanhã vou fazer em casa
Oiiii gente
Você explica muito bem
Minha avó fazia igual
Quando sai a parte dois?
Chorei no final
Não entendi o minuto 5:40
Primeiro comentário 😎
Melhor canal que existe
O cachorro roubou a cena
Que paisagem linda
Um abraço do Brasil 🇧🇷
Assisti com meu filho
Sexta-feira é dia de vídeo novo
Estou com saudade dos seus vídeos
A cripta da igreja é linda
Qual câmera você usa?
Muito sucesso para você
Eu colocaria menos açúcar
Custa 20 reais aqui
Coração ❤️
Parabéns pelo trabalho
Já me inscrevi
O som está um pouco baixo
É isso aí
Vamos láááá
Não sei se rio ou se choro
Que saudade da infância
Só não gostei da música
Ficou muito bonito
A edição está ótima
Eu também passei por isso
Feliz aniversário atrasado
Deus abençoe sua família
Que aula!
Vou mostrar para minha mãe
Ótima explicação, professor
Isso é verdade
De onde você é?
Um dos melhores
Até a próxima
Bom dia, pessoal ☀️
Pão de queijo é vida
Caí da cadeira de tanto rir`,
  ru: `Отличное видео, спасибо!
Привет из Сибири 🇷🇺
Кто знает, что за песня в начале?
Как всегда на высоте
Телеграф изобрели очень давно
Сам пробовал, всё получилось
Нет слов
Вот это да
Кот просто супер
Хорошо объясняешь
Смотрю уже пятый раз
Ну очень смешно ахахах
Первый!
Жду продолжения
Мама готовит точно так же
Какая красота
Где это снято?
Сейчас попробую дома
Свобода и подарок судьбы
Спать пора, а я смотрю
Сто лет так не смеялся
Как раз то, что я искал
Ты лучший
Нот много, а музыки мало
Сор из избы не выносят
Рот не закрывается от удивления
Сом весом 40 кг, вот это рыба
Сок и сыр, больше ничего не надо
Текст песни есть в описании
Токсичные люди везде
Крипта собора очень красивая
Секс-символ эпохи, ничего не скажешь
ВОТ ЭТО ПОВОРОТ
СУПЕР
НЕТ И ЕЩЁ РАЗ НЕТ
Всё будет хорошо
Ёлка красивая
Ребёнок в восторге
С днём рождения!
А мне не понравилось
Звук тихий
Сколько стоит такая камера?
500 ₽ за кофе, серьёзно?
Мы с братом смеялись до слёз
Дааааа
Урааааа, новый выпуск
Собака молодец
Доброе утро ☀️
Это правда, так и было
Увидимся в следующем видео`,
  ar: `فيديو رائع، شكرًا لك!
تحياتي من مصر 🇪🇬
ما اسم الأغنية؟
الله يعطيك العافية
شرح ممتاز كالعادة
ضحكت كثيرًا 😂
أول تعليق
متى الجزء الثاني؟
القطة جميلة جدًا
شكرا على المجهود
التلغراف غيّر العالم
صباح الخير
أحبك في الله يا أخي
رااااائع
هههههههه
جربت الوصفة ونجحت
أمي تطبخها بنفس الطريقة
من أي مدينة أنت؟
الصوت منخفض قليلًا
قناة تستحق المتابعة
ما شاء الله
أنتظر الفيديو القادم
\u200fالفيديو رقم 3 هو الأفضل\u200f
\u202bهذا أجمل فيديو على YouTube\u202c
شاهدته مع أولادي
كل عام وأنت بخير
الدقيقة 2:15 مضحكة
أتمنى لك التوفيق
مبدع دائمًا
الكلب سرق المشهد
لم أفهم الجزء الأخير
بارك الله فيك
ما نوع الكاميرا؟
الموسيقى عالية
المنظر جميل جدًا
شكرًا من القلب ❤️
أنا من المغرب
هذا صحيح
رحلة ممتعة
أعجبتني الفكرة
نريد المزيد
السعر ٢٠ دولارًا
كلام جميل
اشتركت في القناة
وصفة سهلة ولذيذة
أفضل قناة
يا سلام
ليلة سعيدة
إلى اللقاء
تعلمت الكثير اليوم`,
  hi: `बहुत बढ़िया वीडियो, धन्यवाद!
भारत से नमस्ते 🇮🇳
गाने का नाम क्या है?
आप बहुत अच्छा समझाते हैं
हाहाहा मज़ा आ गया
पहला कमेंट
अगला भाग कब आएगा?
बिल्ली बहुत प्यारी है
माँ भी ऐसे ही बनाती हैं
आज ही घर पर बनाऊँगा
आवाज़ थोड़ी कम है
सुप्रभात
शुभ रात्रि
आपका चैनल सबसे अच्छा है
मैंने तीन बार देखा
कैमरा कौन सा है?
जन्मदिन मुबारक हो
दिल छू लिया ❤️
रोना आ गया
बहुत सुंदर जगह है
कहाँ शूट किया?
मेरे बेटे को पसंद आया
तार से संदेश भेजते थे पहले
बिल्कुल सही कहा
ऐसे ही वीडियो बनाते रहो
2:30 पर जो हुआ वो कमाल था
कुत्ता सबसे अच्छा है
मुझे समझ नहीं आया
वाह क्या बात है
जय हिंद
सरल और उपयोगी
मैं दिल्ली से हूँ
संगीत बहुत तेज़ है
YouTube पर सबसे अच्छा
भाई मज़ा आ गया
लाजवाब
कमाल कर दिया
इंतज़ार रहेगा
खाना देखकर भूख लग गई
बचपन याद आ गया
मेहनत दिखती है
सच है
बहुत खूब
आपको बधाई
५० रुपये में इतना सब?
चीनी कम डालिए
परिवार के साथ देखा
नया वीडियो कब?
शुक्रिया
फिर मिलेंगे`,
  ko: `영상 정말 잘 봤어요!
ㅋㅋㅋㅋㅋㅋ 너무 웃겨요
ㅠㅠ 감동이에요
ㄷㄷㄷ 대박
ㅇㅇ 맞아요
ㄱㄱ
노래 제목이 뭐예요?
안녕하세요, 부산입니다
고양이가 너무 귀여워요
설명이 쉬워요
다음 영상 기대할게요
첫 댓글!
엄마가 해 주던 맛이에요
오늘 집에서 해 볼게요
소리가 조금 작아요
구독했어요
좋은 아침입니다 ☀️
생일 축하합니다
여기 어디예요?
카메라 뭐 쓰세요?
세 번째 보고 있어요
아이랑 같이 봤어요
전보라는 말 오랜만이네요
강아지가 다 했다
2:15에서 빵 터졌어요
와아아아
대박이다 진짜
최고예요 👍
항상 응원합니다
눈물이 났어요
경치가 예뻐요
한국에서 인사드려요 🇰🇷
편집이 깔끔하네요
이해가 잘 안 돼요
맞는 말이에요
어릴 때 생각나요
YouTube에서 제일 좋아하는 채널
음악이 너무 커요
고생하셨습니다
감사합니다
설탕을 조금 줄이면 좋겠어요
가격이 얼마예요?
5천 원이라니
이거 진짜예요?
배고파졌어요
또 올게요
잘 자요
행복하세요
멋있어요
다음 주에 봐요`,
} as const;

/** Texts that come close to words of rules, or to the ways in which people hide such words. */
export const harmlessTexts: readonly string[] = [
  "The Daily Telegraph wrote about it, and so did the telegraphers",
  "what's up, what's app-ropriate here?",
  "only the fans in the front row saw it",
  "a gift for free thinkers",
  "🇩🇪🇫🇷 friendship",
  "🇩🇪 🇫🇷 🇪🇸 🇮🇹 road trip",
  "🇸🇪 🇽🇰 🇹🇷 this summer",
  "L’été, c’est l’amour d’un jour",
  "n i c e  v i d e o",
  "ˈnjuːdi is not how it is said, /ˈspɑː/ is",
  "∫ x² dx = x³/3 + C, √2 ∉ ℚ",
  "\u200fשלום לכולם\u200f, great video",
  "\u202bשלום\u202c and \u2067مرحبا\u2069 from me",
  "Το βίντεο ήταν πολύ ωραίο, ευχαριστώ",
  "ΝΑΙ, ΤΟ ΕΙΔΑ ΚΑΙ ΕΓΩ",
  "Ја сам из Србије и ово је сјајно",
  "Привіт з України, дуже гарно",
  "Zażółć gęślą jaźń",
  "Iğdır'dan selamlar, ışık çok güzel",
  "Cảm ơn bạn, video rất hay",
  "ขอบคุณสำหรับวิดีโอดีๆ YouTubeสนุกมาก",
  "İstanbul’da yağmur var",
  "Ein Telegramm aus Rom, un telegramma da Roma",
  "dessert in the desert, dinner at the diner",
  "Is it on? So do I go, or do we go on to it?",
  "Əla video, çox sağ ol",
  "3D-модель и 4K-видео",
  "50 €, 20 ₺, 100 ₽, 500 ₹ and 10 ₪",
  "Ω is ohm, µ is micro, Å is ångström",
];

/** Words of rules that moderators often have. */
export const usualRuleWords: readonly string[] = [
  ...[
    "telegram",
    "whatsapp",
    "onlyfans",
    "free gift",
    "crypto",
    "nudes",
    "bitcoin",
    "t.me",
    "sex",
    "spam",
    "scam",
  ],
  ...[
    "casino",
    "free money",
    "giveaway",
    "instagram",
    "porn",
    "無料",
    "бесплатно",
    "スパム",
    "gratis",
  ],
];
