/** The plain values of the `vscode` module: what is the same in every window. */
import { URI, Utils } from 'vscode-uri';

export class Disposable {
  readonly #end: () => unknown;

  constructor(end: () => unknown) {
    this.#end = end;
  }

  static from(...all: { dispose: () => unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }

  dispose(): void {
    this.#end();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();
  #isDisposed = false;

  readonly event = (listener: (value: T) => unknown, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.#listeners.add(bound);
    const disposable = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };

  /** How many listen: what is added for each event and never taken away shows here. */
  get listeners(): number {
    return this.#listeners.size;
  }

  fire(value: T): void {
    if (this.#isDisposed) return;
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
  }
}

export const Uri = Object.assign(URI, {
  joinPath: (uri: URI, ...parts: string[]): URI => Utils.joinPath(uri, ...parts),
});

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    if (line < 0 || character < 0) throw new Error('illegal argument: positions are not negative');
    this.line = line;
    this.character = character;
  }

  translate(lines: number): Position {
    return new Position(this.line + lines, this.character);
  }

  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }

  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...place: [number, number, number, number] | [Position, Position]) {
    const [first, last] =
      place.length === 4 ? [new Position(place[0], place[1]), new Position(place[2], place[3])] : place;
    [this.start, this.end] = last.isBefore(first) ? [last, first] : [first, last];
  }

  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }

  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  isEqual(other: Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  contains(position: Position): boolean {
    return !position.isBefore(this.start) && !this.end.isBefore(position);
  }
}

export class Selection extends Range {}

export class ThemeIcon {
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class TreeItem {
  label: string;
  collapsibleState: number;

  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class MarkdownString {
  value: string;
  isTrusted = false;

  constructor(value = '') {
    this.value = value;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    this.value += text.replaceAll(/[\\`*_{}[\]()#+\-!~]/g, '\\$&');
    return this;
  }
}

export class Diagnostic {
  range: Range;
  message: string;
  severity: number;
  source?: string;
  code?: unknown;

  constructor(range: Range, message: string, severity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeAction {
  title: string;
  kind: unknown;
  edit?: WorkspaceEdit;
  diagnostics?: Diagnostic[];
  isPreferred?: boolean;

  constructor(title: string, kind?: unknown) {
    this.title = title;
    this.kind = kind;
  }
}

export class WorkspaceEdit {
  readonly edits: { readonly uri: URI; readonly range: Range; readonly text: string }[] = [];

  replace(uri: URI, range: Range, text: string): void {
    this.edits.push({ uri, range, text });
  }

  insert(uri: URI, at: Position, text: string): void {
    this.replace(uri, new Range(at.line, at.character, at.line, at.character), text);
  }

  delete(uri: URI, range: Range): void {
    this.replace(uri, range, '');
  }
}

export class RelativePattern {
  readonly baseUri: URI;
  readonly pattern: string;

  constructor(baseUri: URI, pattern: string) {
    this.baseUri = baseUri;
    this.pattern = pattern;
  }
}

export class TabInputText {
  readonly uri: URI;

  constructor(uri: URI) {
    this.uri = uri;
  }
}
export class TabInputCustom extends TabInputText {}

export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const CodeActionKind = { QuickFix: { value: 'quickfix' } } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ViewColumn = { Active: -1, Beside: -2, One: 1 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const QuickInputButtons = { Back: { iconPath: new ThemeIcon('arrow-left') } } as const;

export class Location {
  readonly uri: unknown;
  readonly range: unknown;

  constructor(uri: unknown, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class DiagnosticRelatedInformation {
  readonly location: Location;
  readonly message: string;

  constructor(location: Location, message: string) {
    this.location = location;
    this.message = message;
  }
}

export class CancellationError extends Error {}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly LanguageModelTextPart[];

  constructor(content: readonly LanguageModelTextPart[]) {
    this.content = content;
  }
}

/** A program that the editor starts as an MCP server. */
export class McpStdioServerDefinition {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly version: string | undefined;

  constructor(label: string, command: string, args: readonly string[], env: Record<string, string>, version?: string) {
    this.label = label;
    this.command = command;
    this.args = args;
    this.env = env;
    this.version = version;
  }
}
