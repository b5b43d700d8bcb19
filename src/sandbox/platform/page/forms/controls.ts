import {
  type APICheckboxComponent,
  type APICheckboxGroupComponent,
  type APIFileUploadComponent,
  type APIRadioGroupComponent,
  type APISelectMenuComponent,
  type APITextInputComponent,
  ApplicationCommandOptionType,
  ComponentType,
  TextInputStyle,
} from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import type { HelloEvent } from "../../protocol.ts";
import { fileFace } from "../composer/tray.ts";
import { icons } from "../content/icons.ts";
import { listSelectOptions } from "../content/select.ts";
import type { FormAnswers, FormControl, OptionControl } from "./questions.ts";
import type { Suggestion } from "./suggester.ts";
import "./option-input.ts";

interface ControlView {
  readonly id: string;
  readonly label: string;
  readonly describedBy: string;
  readonly answer: FormAnswers[string];
  readonly hasFault: boolean;
  readonly hello: HelloEvent | undefined;
  onAnswer(answer: FormAnswers[string]): void;
  suggest(text: string, signal: AbortSignal): Promise<readonly Suggestion[]>;
  onTake(suggestion: Suggestion): void;
}

/** https://docs.discord.com/developers/components/reference#text-input */
const defaultMaxText = 4_000;

export function formControl(one: FormControl, view: ControlView): TemplateResult {
  switch (one.type) {
    case "option":
      return optionInput(one, view);
    case ComponentType.TextInput:
      return textInput(one, view);
    case ComponentType.FileUpload:
      return fileUpload(one, view);
    case ComponentType.RadioGroup:
      return radioGroup(one, view);
    case ComponentType.CheckboxGroup:
      return checkboxGroup(one, view);
    case ComponentType.Checkbox:
      return checkbox(one, view);
    default:
      return select(one, view);
  }
}

function optionInput({ option, required }: OptionControl, view: ControlView): TemplateResult {
  const isSuggested = "autocomplete" in option && option.autocomplete === true;
  return html`<page-option-input
    class="form-text"
    .inputId=${view.id}
    .name=${option.name}
    .label=${view.label}
    .describedBy=${view.describedBy}
    .value=${String(view.answer)}
    .isNumber=${option.type !== ApplicationCommandOptionType.String}
    .isRequired=${required}
    .isInvalid=${view.hasFault}
    .ask=${isSuggested ? view.suggest : undefined}
    @answer=${({ detail }: CustomEvent<string>) => view.onAnswer(detail)}
    @choose=${({ detail }: CustomEvent<Suggestion>) => {
      view.onAnswer(detail.name);
      view.onTake(detail);
    }}
  ></page-option-input>`;
}

function textInput(one: APITextInputComponent, view: ControlView): TemplateResult {
  const text = String(view.answer);
  const max = one.max_length ?? defaultMaxText;
  const onInput = (event: Event) =>
    view.onAnswer((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  const common = { placeholder: one.placeholder ?? "", required: one.required ?? true };
  const field =
    one.style === TextInputStyle.Paragraph
      ? html`<textarea id=${view.id} rows="4" maxlength=${max} placeholder=${common.placeholder} aria-label=${view.label} aria-required=${common.required} aria-invalid=${view.hasFault} aria-describedby=${view.describedBy} data-field=${one.custom_id} .value=${text} @input=${onInput}></textarea>`
      : html`<input id=${view.id} type="text" autocomplete="off" maxlength=${max} placeholder=${common.placeholder} aria-label=${view.label} aria-required=${common.required} aria-invalid=${view.hasFault} aria-describedby=${view.describedBy} data-field=${one.custom_id} .value=${text} @input=${onInput} />`;
  return html`<div class="form-text">${field}<span class="counter" aria-hidden="true">${text.length}/${max}</span></div>`;
}

function select(one: APISelectMenuComponent, view: ControlView): TemplateResult {
  return html`<page-select
    data-field=${one.custom_id}
    .options=${listSelectOptions(one, view.hello)}
    .label=${view.label}
    .placeholder=${one.placeholder ?? "Make a selection"}
    .min=${one.min_values ?? 1}
    .max=${one.max_values ?? 1}
    .eager=${true}
    @change=${({ detail }: CustomEvent<readonly string[]>) => view.onAnswer(detail)}
  ></page-select>`;
}

function fileUpload(one: APIFileUploadComponent, view: ControlView): TemplateResult {
  const files = view.answer as readonly File[];
  const max = one.max_values ?? 1;
  const add = (added: Iterable<File>) =>
    view.onAnswer([...(max === 1 ? [] : files), ...added].slice(0, max));
  const onChange = (event: Event) => {
    const input = event.target as HTMLInputElement;
    add(input.files ?? []);
    input.value = "";
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    // The channel shows its own hint while something is dragged over it; it must hear that this ended.
    event.currentTarget?.dispatchEvent(new CustomEvent("page-dropped", { bubbles: true }));
    add(event.dataTransfer?.files ?? []);
  };
  const accept =
    one.file_types?.map((type) => (type.startsWith(".") ? type : `${type}/*`)).join(",") ?? "";
  return html`<div class="form-files" @dragover=${(event: Event) => event.preventDefault()} @drop=${onDrop}>
    <label class="drop-button">
      ${icons.picture}<span><strong>Drop ${max === 1 ? "a file" : "files"} here</strong><br />or browse</span>
      <input id=${view.id} class="sr-only" type="file" accept=${accept} ?multiple=${max > 1} aria-label=${view.label} aria-describedby=${view.describedBy} data-field=${one.custom_id} @change=${onChange} />
    </label>
    ${files.map(
      (file) => html`<div class="tray-card" data-file=${file.name}>
      ${fileFace(file)}
      <button type="button" class="icon-button" aria-label="Remove ${file.name}" @click=${() => view.onAnswer(files.filter((other) => other !== file))}>${icons.close}</button>
    </div>`,
    )}
  </div>`;
}

function radioGroup(one: APIRadioGroupComponent, view: ControlView): TemplateResult {
  return html`<div role="radiogroup" class="form-choices" aria-label=${view.label} data-field=${one.custom_id}>
    ${one.options.map(
      (option) => html`<label class="form-choice">
      <input type="radio" name=${view.id} value=${option.value} .checked=${view.answer === option.value} @change=${() => view.onAnswer(option.value)} />
      ${choiceText(option)}
    </label>`,
    )}
  </div>`;
}

function checkboxGroup(one: APICheckboxGroupComponent, view: ControlView): TemplateResult {
  const chosen = view.answer as readonly string[];
  return html`<div role="group" class="form-choices" aria-label=${view.label} data-field=${one.custom_id}>
    ${one.options.map(
      (option) => html`<label class="form-choice">
      <input
        type="checkbox"
        value=${option.value}
        .checked=${chosen.includes(option.value)}
        @change=${() => {
          const others = chosen.filter((other) => other !== option.value);
          view.onAnswer(others.length < chosen.length ? others : [...chosen, option.value]);
        }}
      />
      ${choiceText(option)}
    </label>`,
    )}
  </div>`;
}

function checkbox(one: APICheckboxComponent, view: ControlView): TemplateResult {
  const isOn = view.answer === "true";
  return html`<label class="form-choice">
    <input id=${view.id} type="checkbox" data-field=${one.custom_id} aria-label=${view.label} .checked=${isOn} @change=${() => view.onAnswer(String(!isOn))} />
    <span>${view.label}</span>
  </label>`;
}

function choiceText({
  label,
  description,
}: {
  label: string;
  description?: string;
}): TemplateResult {
  return html`<span class="select-text"><span>${label}</span>${description ? html`<span class="select-description">${description}</span>` : nothing}</span>`;
}
