import type { Translated } from "./languages.ts";

/** What a video can be reported for. */
export interface AbuseReason {
  readonly id: string;
  readonly label: Translated;
  /** One of them must be named with the reason. */
  readonly details: readonly { readonly id: string; readonly label: Translated }[];
}

export const sampleAbuseReasons: readonly AbuseReason[] = [
  {
    id: "N",
    label: [
      "Nudity or sexual content",
      "Nacktheit oder sexuelle Inhalte",
      "Desnudez o contenido sexual",
      "Nudité ou contenu à caractère sexuel",
      "ヌードや性的なコンテンツ",
    ],
    details: [],
  },
  {
    id: "V",
    label: [
      "Violence, hate or danger",
      "Gewalt, Hass oder Gefahr",
      "Violencia, odio o peligro",
      "Violence, haine ou danger",
      "暴力、ヘイト、危険な行為",
    ],
    details: [
      {
        id: "34",
        label: [
          "Promotes violence or hatred",
          "Ruft zu Gewalt oder Hass auf",
          "Incita a la violencia o al odio",
          "Incite à la violence ou à la haine",
          "暴力や憎悪を助長している",
        ],
      },
      {
        id: "35",
        label: [
          "Promotes terrorism",
          "Wirbt für Terrorismus",
          "Promueve el terrorismo",
          "Fait l’apologie du terrorisme",
          "テロリズムを助長している",
        ],
      },
      {
        id: "36",
        label: [
          "Bullying or abuse of vulnerable people",
          "Mobbing oder Missbrauch von Schwächeren",
          "Acoso o abuso de personas vulnerables",
          "Harcèlement ou abus de personnes vulnérables",
          "いじめや弱者への虐待",
        ],
      },
      {
        id: "37",
        label: [
          "Suicide or self-harm",
          "Suizid oder Selbstverletzung",
          "Suicidio o autolesiones",
          "Suicide ou automutilation",
          "自殺や自傷行為",
        ],
      },
      {
        id: "38",
        label: [
          "Drug abuse or dangerous acts",
          "Drogenmissbrauch oder gefährliche Handlungen",
          "Abuso de drogas o actos peligrosos",
          "Abus de drogues ou actes dangereux",
          "薬物の乱用や危険な行為",
        ],
      },
    ],
  },
  {
    id: "S",
    label: [
      "Spam or misleading",
      "Spam oder irreführend",
      "Spam o engañoso",
      "Spam ou contenu trompeur",
      "スパムや誤解を招く内容",
    ],
    details: [
      {
        id: "27",
        label: [
          "Advertising in bulk",
          "Massenwerbung",
          "Publicidad masiva",
          "Publicité de masse",
          "大量の広告",
        ],
      },
      {
        id: "28",
        label: [
          "Misleading thumbnail",
          "Irreführendes Thumbnail",
          "Miniatura engañosa",
          "Miniature trompeuse",
          "誤解を招くサムネイル",
        ],
      },
      {
        id: "29",
        label: [
          "Links to malware or phishing",
          "Links zu Malware oder Phishing",
          "Enlaces a malware o phishing",
          "Liens vers des logiciels malveillants ou du phishing",
          "マルウェアやフィッシングへのリンク",
        ],
      },
      {
        id: "30",
        label: [
          "Sale of medicines",
          "Verkauf von Medikamenten",
          "Venta de medicamentos",
          "Vente de médicaments",
          "医薬品の販売",
        ],
      },
      {
        id: "31",
        label: [
          "Other misleading details",
          "Andere irreführende Angaben",
          "Otros datos engañosos",
          "Autres informations trompeuses",
          "その他の誤解を招く内容",
        ],
      },
    ],
  },
  {
    id: "C",
    label: [
      "Harms children",
      "Schadet Kindern",
      "Perjudica a menores",
      "Met en danger des enfants",
      "子どもに害を与える",
    ],
    details: [],
  },
];
