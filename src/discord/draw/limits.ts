/** Discord's numbers, with their sources in docs/services/discord.md#messages and below. */
export const limits = {
  embed: {
    title: 256,
    description: 4096,
    fields: 25,
    fieldName: 256,
    fieldValue: 1024,
    footer: 2048,
    author: 256,
    total: 6000,
  },
  message: { content: 2000, embeds: 10, files: 10 },
  row: { rows: 5, buttons: 5 },
  button: { label: 80, url: 512 },
  select: { options: 25, label: 100, description: 100, placeholder: 150 },
  customId: 100,
  v2: { components: 40, text: 4000, altText: 1024, gallery: 10 },
  form: { title: 45, label: 45, description: 100, placeholder: 100, text: 4000, fields: 5 },
  command: {
    name: 32,
    description: 100,
    options: 25,
    choices: 25,
    choiceName: 100,
    choiceText: 100,
    total: 8000,
  },
  suggestions: 25,
  /** https://docs.discord.com/developers/resources/emoji#create-guild-emoji */
  emoji: { side: 128, bytes: 256 * 1024, minName: 2, name: 32 },
  /** https://docs.discord.com/developers/resources/sticker#create-guild-sticker */
  sticker: {
    side: 320,
    bytes: 512 * 1024,
    minName: 2,
    name: 30,
    minDescription: 2,
    description: 100,
  },
} as const;

/** An interaction's token is good for 15 minutes; work stops one minute before. */
export const workMs = 14 * 60_000;

/** The first answer is due 3 s after the event; a try after this time would be too late. */
export const acknowledgeMs = 2300;

/** How long after the event a form may still be read for; the try to open it needs the rest. */
export const openMs = 1500;

/** How long the first answer may wait for something that is only helpful. */
export const helpMs = 700;
