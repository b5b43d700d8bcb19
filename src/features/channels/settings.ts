import { type Card, card, cut, type FormField, link, type Words } from "../../discord/index.ts";
import { type Channel, youtubePages } from "../../video/index.ts";
import {
  type BeforeAndAfter,
  changedFields,
  changedTranslations,
  presentFields,
  type Setting,
  settingFields,
  yesNo,
} from "../cards/index.ts";
import { coveredParams, option } from "../declarations/index.ts";
import type { Extra } from "../extra/index.ts";
import { languages, ownVideos, regions } from "../suggestions/index.ts";

export const channelSettingsParts = ["brandingSettings", "status", "localizations"] as const;

/** https://developers.google.com/youtube/v3/docs/channels: description 1,000 characters, keywords 500. */
const maxChars = { description: 1000, keywords: 500 } as const;

export const channelEditOptions = {
  description: option.text({
    covers: "brandingSettings.channel.description",
    max: maxChars.description,
  }),
  keywords: option.text({ covers: "brandingSettings.channel.keywords", max: maxChars.keywords }),
  country: option.country({ covers: "brandingSettings.channel.country", suggest: regions }),
  language: option.language({
    covers: "brandingSettings.channel.defaultLanguage",
    suggest: languages,
  }),
  trailer: option.video({
    covers: "brandingSettings.channel.unsubscribedTrailer",
    suggest: ownVideos,
  }),
  made_for_kids: option.field("channels.update", "status.selfDeclaredMadeForKids"),
  show_sections: option.field("channels.update", "brandingSettings.channel.showBrowseView"),
};

/** The settings that are text, in the order in which the form asks for them. */
const textFields = {
  description: { style: "paragraph", maxLength: maxChars.description },
  keywords: { style: "paragraph", maxLength: maxChars.keywords },
  country: { maxLength: 60 },
  language: { maxLength: 60 },
  trailer: { maxLength: 200 },
} as const;

type TextSetting = keyof typeof textFields;
const textSettings = Object.keys(textFields) as TextSetting[];

/** As the form shows and returns them. */
export type ChannelTextSettings = Readonly<Record<TextSetting, string>>;

export function readChannelTextSettings({ brandingSettings }: Channel): ChannelTextSettings {
  const { description, keywords, country, defaultLanguage, unsubscribedTrailer } =
    brandingSettings?.channel ?? {};
  return {
    description: description ?? "",
    keywords: keywords ?? "",
    country: country ?? "",
    language: defaultLanguage ?? "",
    trailer: unsubscribedTrailer ?? "",
  };
}

/** The linked channel's settings that the answer has. */
export function channelSettingsCard(channel: Channel, title: string, words: Words): Card {
  const { description } = readChannelTextSettings(channel);
  const [, ...others] = allSettings(words);
  const titles = Object.entries(channel.localizations ?? {}).map(
    ([language, { title = "" }]) => `${words.language(language)}: ${title}`,
  );
  return card({
    title,
    url: channel.id === undefined ? undefined : youtubePages.channel(channel.id),
    text: description === "" ? undefined : cut(description, 1000),
    fields: [
      ...settingFields(words, others, channel),
      ...presentFields(words, [["channels.settings.translations", cut(titles.join("\n"), 600)]]),
    ],
  });
}

/** What an edit changed, with the values before and after. */
export function changedChannelCard(
  { before, after }: BeforeAndAfter<Channel>,
  title: string,
  words: Words,
): Card {
  const isSame = after === before;
  return card({
    title: isSame ? words.say("videos.edit.nothing") : title,
    ...(isSame && { text: words.say("common.same") }),
    ...(after.id === undefined ? {} : { url: youtubePages.channel(after.id) }),
    fields: [
      ...changedFields(words, allSettings(words), { before, after }),
      ...changedTranslations(words, { before: before.localizations, after: after.localizations }),
    ],
  });
}

/** The description comes first, because `channelSettingsCard` shows it as its text. */
function allSettings(words: Words): readonly Setting<Channel>[] {
  const text = (name: TextSetting) => (channel: Channel) => readChannelTextSettings(channel)[name];
  return [
    ["channels.settings.description", text("description")],
    ["channels.settings.keywords", text("keywords")],
    [
      "channels.settings.country",
      (channel) => text("country")(channel) && words.country(text("country")(channel)),
    ],
    [
      "channels.settings.language",
      (channel) => text("language")(channel) && words.language(text("language")(channel)),
    ],
    [
      "channels.settings.trailer",
      (channel) => {
        const { trailer } = readChannelTextSettings(channel);
        return trailer && link(trailer, youtubePages.video(trailer));
      },
    ],
    [
      "channels.settings.made_for_kids",
      ({ status }) => yesNo(words, status?.selfDeclaredMadeForKids),
    ],
    [
      "channels.settings.sections_shown",
      ({ brandingSettings }) => yesNo(words, brandingSettings?.channel?.showBrowseView),
    ],
    [
      "channels.settings.analytics",
      ({ brandingSettings }) => brandingSettings?.channel?.trackingAnalyticsAccountId,
    ],
    [
      "channels.settings.promotion",
      // Its content is not documented, so it is shown as it is.
      ({ invideoPromotion: promotion = {} }) =>
        Object.keys(promotion).length > 0 ? cut(JSON.stringify(promotion), 600) : undefined,
    ],
  ];
}

/** Five fields, filled with the current settings. */
export function channelSettingsFields(
  now: ChannelTextSettings,
  words: Words,
): readonly FormField[] {
  return textSettings.map((name) => {
    const description = words.find(`channels.settings.hints.${name}`);
    return {
      name,
      label: words.say(`channels.settings.${name}`),
      ...(description === undefined ? {} : { description }),
      required: false,
      value: now[name],
      ...textFields[name],
    };
  });
}

/**
 * What the form changes: an empty field clears its setting, an unchanged field is left out.
 * @throws InputError `option_unreadable`, `id_kind`
 */
export function readChangedChannelSettings(
  before: ChannelTextSettings,
  fields: Readonly<Record<string, string>>,
): Extra["body"] {
  const changed = textSettings.flatMap((name) => {
    const text = (fields[name] ?? "").trim();
    if (text === before[name].trim()) return [];
    return [[name, text === "" ? null : channelEditOptions[name].parse(text, name)]];
  });
  return coveredParams("channels.update", channelEditOptions, Object.fromEntries(changed)).body;
}
