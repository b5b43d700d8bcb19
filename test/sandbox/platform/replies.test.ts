import {
  AttachmentBuilder,
  type ChatInputCommandInteraction,
  ContainerBuilder,
  FileBuilder,
  type Interaction,
  MediaGalleryBuilder,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  SectionBuilder,
  SeparatorBuilder,
  TextDisplayBuilder,
  ThumbnailBuilder,
} from "discord.js";
import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Platform,
  type RestExchange,
  startPlatform,
} from "../../../src/sandbox/platform/index.ts";
import { checkExchange } from "../../support/discord-spec.ts";
import { asMessage, fetchBytes } from "../../support/stage.ts";
import { startTestBot, type TestBot } from "../../support/test-bot.ts";
import { tinyPng } from "./tiny-png.ts";

const png = (name: string) => new AttachmentBuilder(Buffer.from(tinyPng), { name });
const press = {
  type: ComponentType.ActionRow,
  components: [
    { type: ComponentType.Button, style: ButtonStyle.Primary, custom_id: "go", label: "Go" },
  ],
} as const;

/** A card with everything that a message of components can contain. */
function card(picture: string, words: string): ContainerBuilder {
  return new ContainerBuilder()
    .setAccentColor(0x58_65_f2)
    .addSectionComponents(
      new SectionBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder({ content: words }))
        .setThumbnailAccessory(
          new ThumbnailBuilder().setURL(`attachment://${picture}`).setDescription("A dot"),
        ),
    )
    .addSeparatorComponents(new SeparatorBuilder().setDivider(true))
    .addMediaGalleryComponents(
      new MediaGalleryBuilder().addItems([
        { media: { url: `attachment://${picture}` } },
        { media: { url: "https://example.com/a.png" }, spoiler: true },
      ]),
    )
    .addFileComponents(new FileBuilder().setURL("attachment://list.csv").setSpoiler(true))
    .addSectionComponents(
      new SectionBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder({ content: "More" }))
        .setButtonAccessory((button) =>
          button.setCustomId("go").setLabel("Go").setStyle(ButtonStyle.Secondary),
        ),
    );
}

interface Shown {
  readonly type: number;
  readonly components?: readonly Shown[];
  readonly accessory?: { readonly media?: { readonly url: string } };
  readonly items?: readonly { readonly media: { readonly url: string } }[];
}

describe("replies of a discord.js bot", () => {
  let platform: Platform;
  let bot: TestBot;
  let onCommand: (interaction: ChatInputCommandInteraction) => Promise<unknown>;
  let onMenu: (interaction: MessageContextMenuCommandInteraction) => Promise<unknown>;
  let pressed = "";
  const exchanges: RestExchange[] = [];
  const works = new Map<string, Promise<unknown>>();
  const owner = () => platform.people("owner");
  const go = async () => asMessage(await owner().command("go"));

  async function onInteraction(interaction: Interaction): Promise<unknown> {
    if (interaction.isChatInputCommand()) return onCommand(interaction);
    if (interaction.isMessageContextMenuCommand()) return onMenu(interaction);
    if (!interaction.isMessageComponent()) return undefined;
    pressed = interaction.customId;
    const by = interaction.message.interactionMetadata?.user.id;
    const chosen = interaction.isAnySelectMenu() ? interaction.values.join("+") : "";
    return interaction.reply({ content: `${by} ${chosen}`, flags: MessageFlags.Ephemeral });
  }

  beforeAll(async () => {
    platform = await startPlatform({
      hasLimits: false,
      onExchange: (exchange) => exchanges.push(exchange),
    });
    bot = await startTestBot(platform, {
      commands: [
        { name: "go", description: "Goes" },
        { type: 3, name: "Look closer" },
        { type: 3, name: "Add to playlist" },
      ],
      onInteraction: (interaction) => {
        const work = onInteraction(interaction);
        works.set(interaction.id, work);
        return work;
      },
    });
    platform.useSettled(async (id) => {
      await works.get(id);
    });
  });
  afterAll(async () => {
    await bot.close();
    await platform.close();
  });

  it("show a card of components and change it together with its files", async () => {
    const list = new AttachmentBuilder(Buffer.from("a,b"), { name: "list.csv" });
    onCommand = async (interaction) => {
      await interaction.deferReply();
      await interaction.editReply({
        flags: MessageFlags.IsComponentsV2,
        components: [card("before.png", "Before")],
        files: [png("before.png"), list],
      });
      const { attachments } = await interaction.fetchReply();
      const kept = attachments.filter(({ name }) => name === "list.csv");
      await interaction.editReply({
        components: [card("after.png", "After")],
        files: [png("after.png")],
        attachments: [...kept.values()],
      });
    };

    const message = await go();

    const [container] = (message.components ?? []) as unknown as readonly Shown[];
    const [section, , gallery, file] = container?.components ?? [];
    const thumbnail = section?.accessory?.media?.url ?? "";
    expect(message.attachments.map(({ filename }) => filename)).toEqual(["list.csv", "after.png"]);
    expect(JSON.stringify(container)).toContain("After");
    expect(gallery?.items?.[0]?.media.url).toContain("/after.png?");
    expect(file).toMatchObject({ name: "list.csv", size: 3, spoiler: true });
    expect(await fetchBytes(thumbnail)).toEqual(Buffer.from(tinyPng));
  });

  it("take back the components that they were shown", async () => {
    onCommand = async (interaction) => {
      await interaction.reply({
        flags: MessageFlags.IsComponentsV2,
        components: [
          new MediaGalleryBuilder().addItems({ media: { url: "https://example.com/a.png" } }),
          card("dot.png", "Words").spliceComponents(3, 1),
        ],
        files: [png("dot.png")],
      });
      const { components } = await interaction.fetchReply();
      await interaction.editReply({ components: components.map((each) => each.toJSON()) });
    };

    expect((await go()).components).toHaveLength(2);
  });

  it("refuse a card whose file an edit took away", async () => {
    let refused: unknown;
    onCommand = async (interaction) => {
      await interaction.reply({
        flags: MessageFlags.IsComponentsV2,
        components: [card("dot.png", "Words").spliceComponents(3, 1)],
        files: [png("dot.png")],
      });
      refused = await interaction
        .editReply({ components: [card("gone.png", "Words").spliceComponents(3, 1)] })
        .catch((error: unknown) => error);
    };

    await go();

    expect(refused).toMatchObject({ status: 400, code: 50_035 });
  });

  it("show an embed's picture from a file, and another after an edit", async () => {
    onCommand = async (interaction) => {
      await interaction.reply({
        embeds: [{ title: "One", image: { url: "attachment://one.png" } }],
        files: [png("one.png")],
      });
      await interaction.editReply({
        embeds: [{ title: "Two", image: { url: "attachment://two.png" } }],
        files: [png("two.png")],
        attachments: [],
      });
    };

    const { embeds, attachments } = await go();

    expect(embeds[0]?.image?.url).toContain("/two.png?");
    expect(attachments).toEqual([]);
  });

  it("delete their answer and say the rest to its person alone, with a file", async () => {
    onCommand = async (interaction) => {
      await interaction.deferReply();
      await interaction.deleteReply();
      await interaction.followUp({
        content: "for you",
        files: [png("dot.png")],
        flags: MessageFlags.Ephemeral,
      });
    };

    const message = await go();
    const seen = (name: "owner" | "member") =>
      platform
        .people(name)
        .messages()
        .some(({ id }) => id === message.id);

    expect(message).toMatchObject({ content: "for you", flags: MessageFlags.Ephemeral });
    expect(message.attachments[0]).toMatchObject({ filename: "dot.png", ephemeral: true });
    expect([seen("owner"), seen("member")]).toEqual([true, false]);
  });

  it.each([
    ["a reply", (one: ChatInputCommandInteraction) => one.reply({ components: [press] })],
    [
      "an ephemeral reply",
      (one: ChatInputCommandInteraction) =>
        one.reply({ components: [press], flags: MessageFlags.Ephemeral }),
    ],
    [
      "an edited deferral",
      async (one: ChatInputCommandInteraction) => {
        await one.deferReply({ flags: MessageFlags.Ephemeral });
        await one.editReply({ components: [press] });
      },
    ],
    [
      "a follow-up",
      async (one: ChatInputCommandInteraction) => {
        await one.reply("first");
        await one.followUp({ components: [press], flags: MessageFlags.Ephemeral });
      },
    ],
  ])("know who asked for %s whose button is pressed", async (_, answer) => {
    onCommand = answer;
    const shown = await go();

    const pressed = asMessage(await owner().click(shown, "Go"));

    expect(pressed.content).toBe(platform.ownerId);
  });

  it("distinguish buttons that read the same", async () => {
    const button = (custom_id: string) => ({ ...press.components[0], custom_id, label: "Details" });
    onCommand = (interaction) =>
      interaction.reply({
        components: [{ type: ComponentType.ActionRow, components: ["a", "b"].map(button) }],
      });
    const shown = await go();
    const idOf = async (nth?: number) => {
      await owner().click(shown, "Details", nth);
      return pressed;
    };

    expect([await idOf(), await idOf(2)]).toEqual(["a", "b"]);
    await expect(idOf(3)).rejects.toThrow(/buttons there: "Details", "Details"/);
  });

  it("name the first answer in what follows it", async () => {
    onCommand = async (interaction) => {
      await interaction.reply("first");
      await interaction.followUp("second");
    };

    const second = await go();
    const first = owner()
      .messages()
      .find(({ id }) => id === second.message_reference?.message_id);

    expect(first).toMatchObject({ content: "first", interaction: { name: "go" } });
    expect(second).not.toHaveProperty("interaction");
    expect(second.interaction_metadata).toMatchObject({
      original_response_message_id: first?.id,
      user: { id: platform.ownerId },
    });
  });

  it("offer selects of every kind", async () => {
    const select = (type: number, custom_id: string, more: object = {}) => ({
      type: 1,
      components: [{ type, custom_id, ...more }],
    });
    const options = [
      { label: "One", value: "1", description: "The first", emoji: { name: "🎬" }, default: true },
      { label: "Two", value: "2" },
      { label: "Three", value: "3" },
    ];
    onCommand = (interaction) =>
      interaction.reply({
        components: [
          select(5, "person"),
          select(3, "text", { options, min_values: 0, max_values: 2 }),
          select(6, "role"),
          select(8, "channel", { channel_types: [0] }),
        ] as never,
      });
    const shown = await go();
    const chosen = async (...values: readonly string[]) =>
      asMessage(await owner().choose(shown, values)).content.split(" ")[1];

    expect(await chosen("Two", "3")).toBe("2+3");
    for (const id of [platform.ownerId, platform.guildId, platform.channelId]) {
      expect(await chosen(id)).toBe(id);
    }
    expect(await chosen()).toBeUndefined();
    await expect(chosen("1", "2", "3")).rejects.toThrow(/at most 2/);
    await expect(chosen("4")).rejects.toThrow(/No menu offers 4/);
  });

  it("hear all of a message from either of two menus", async () => {
    onCommand = (interaction) =>
      interaction.reply({
        content: "https://example.com/watch",
        embeds: [{ title: "Embed", description: "Words" }],
        components: [press],
        files: [png("dot.png")],
      });
    const target = await go();
    const seen: unknown[] = [];
    onMenu = (interaction) => {
      seen.push([interaction.commandName, interaction.targetMessage.toJSON()]);
      return interaction.reply({ content: "seen", flags: MessageFlags.Ephemeral });
    };

    await platform.people("member").menu("Add to playlist", target);
    await platform.people("member").menu("Look closer", target);

    const whole = {
      content: "https://example.com/watch",
      embeds: [{ title: "Embed" }],
      components: [{ type: 1 }],
      attachments: [expect.anything()],
    };
    expect(seen).toMatchObject([
      ["Add to playlist", whole],
      ["Look closer", whole],
    ]);
  });

  it("keep to Discord's specification all along", async () => {
    const found = await Promise.all(
      exchanges.filter(({ status }) => status < 400).map(checkExchange),
    );

    expect(exchanges.length).toBeGreaterThan(20);
    expect([...new Set(found.flat())]).toEqual([]);
  });
});
