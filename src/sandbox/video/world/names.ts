/** First and last names by language; each first name meets each last name at most once. */
export const names = {
  en: [
    "Ada Bea Callum Dora Ewan Freya Gus Hattie Idris June Kit Lowri Morgan Nell Owen Posy Rory Saskia Theo Una",
    "Ashdown Birch Calder Dunmore Elwood Fairley Garrick Hollis Ingram Kestrel Larkin Marlow",
  ],
  de: ["Anke Bernd Carla Dieter Elif Frieda Gero Heike Ingo Jette", "Ackermann Böhm Dietz Kröger"],
  fr: [
    "Aline Bastien Clémence Didier Élodie Fabien Gisèle Hugo",
    "Aubry Besson Carpentier Deschamps",
  ],
  es: ["Alba Bruno Celia Darío Estrella Fermín Goya Íñigo", "Arroyo Benítez Cordero Durán"],
  pt: ["Aline Beto Caio Dandara Edu Flávia Guto Heloísa", "Amaral Barros Castilho Duarte"],
  it: ["Agata Biagio Chiara Dario Elettra Fausto", "Amato Bellini Conti"],
  pl: ["Agnieszka Bartek Celina Darek Ewelina Filip", "Adamska Borek Cichy"],
  tr: ["Aylin Burak Ceren Deniz Eren Figen", "Aksoy Bulut Çetin"],
  ja: ["美咲 翔太 結衣 大輝 さくら 蓮 陽菜 悠斗", "佐藤 山本 小林 森"],
  ko: ["지우 서연 민준 하은 도윤 수아", "김 박 최"],
  ar: ["ليلى سامر هناء طارق ريم جاد", "الخطيب حداد منصور"],
  he: ["נועה איתן תמר יונתן", "לוי פרץ"],
  hi: ["आरव दिया कबीर मीरा", "वर्मा जोशी"],
  ru: ["Аня Борис Вера Глеб Дарья", "Лисова Орлов"],
} as const satisfies Record<string, readonly [first: string, last: string]>;

/** What people call themselves when they don't use their name. */
export const nicknames = [
  "quiet brave rusty tiny cosmic sleepy salty neon mossy velvet",
  "otter teapot falcon biscuit lantern gecko walnut comet heron puddle",
] as const;

/** Names that try what shows them. */
export const hostileNames: readonly string[] = [
  "@everyone",
  "**Bold Barry**",
  "[Support](https://example.com/support)",
  "<@80351110224678912>",
  "||who am i||",
  "`rm -rf`",
  "\u202Eevif ytxis",
  "Z\u0337\u0321o\u0334\u031Be\u0336 \u0338\u0327K\u0335.",
  "A Name That Goes On And On Because Nobody Told Its Owner That There Would Be A Limit To It Some Day Soon",
  "\u{1F469}\u200D\u{1F680}\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  "Greenroom Studio",
  "\u200B\u200B",
  "<b>Robert</b> & Söhne",
  "# Number One",
];
