import { type APISelectMenuComponent, ComponentType } from "discord-api-types/v10";
import { html, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import { shownName } from "../state/names.ts";
import { isComponentBusy, type MessageContext } from "./message-context.ts";
import type { ShownSelectOption } from "./select-element.ts";
import "./select-element.ts";

export function select(one: APISelectMenuComponent, scene: MessageContext): TemplateResult {
  const busy = isComponentBusy(scene, one.custom_id);
  return html`<page-select
    data-custom-id=${one.custom_id}
    .options=${listSelectOptions(one, scene.session.state.hello)}
    .label=${one.placeholder ?? "Make a selection"}
    .placeholder=${one.placeholder ?? "Make a selection"}
    .min=${one.min_values ?? 1}
    .max=${one.max_values ?? 1}
    .disabled=${one.disabled ?? false}
    .busy=${busy}
    @change=${({ detail }: CustomEvent<readonly string[]>) => scene.session.press(scene.message, one.custom_id, detail)}
  ></page-select>`;
}

/** A select's own options, or those that Discord fills in from the server. */
export function listSelectOptions(
  one: APISelectMenuComponent,
  hello: HelloEvent | undefined,
): readonly ShownSelectOption[] {
  if (one.type === ComponentType.StringSelect) return one.options;
  const chosen = new Set<string>(one.default_values?.map(({ id }) => id));
  const users = hello?.people.map(({ user }) => ({ value: user.id, label: shownName(user) })) ?? [];
  // The role of everyone has its mark in its name.
  const roles = (hello?.roles ?? []).map(({ id, name }) => {
    return { value: id, label: name.startsWith("@") ? name : `@${name}` };
  });
  const types: readonly number[] | undefined =
    one.type === ComponentType.ChannelSelect ? one.channel_types : undefined;
  const channels = (hello?.channels ?? [])
    .filter(({ type }) => types?.includes(type) ?? true)
    .map(({ id, name }) => ({ value: id, label: `#${name}` }));
  const lists = {
    [ComponentType.UserSelect]: users,
    [ComponentType.RoleSelect]: roles,
    [ComponentType.MentionableSelect]: [...users, ...roles],
    [ComponentType.ChannelSelect]: channels,
  };
  return lists[one.type].map((option) => ({ ...option, default: chosen.has(option.value) }));
}
