// Types for the parts of lit that this page uses. They omit the optional hooks of views (`render`, `willUpdate`, `updated`),
// so that these need no `@override`. Browsers do not load this file.

export interface TemplateResult {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

export declare function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare const nothing: unique symbol;
export declare const noChange: unique symbol;
export declare function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;

export declare class LitElement extends HTMLElement {
  static readonly elementProperties: ReadonlyMap<string, object>;
  static createProperty(name: string, options: object): void;
  readonly renderRoot: HTMLElement | DocumentFragment | undefined;
  readonly updateComplete: Promise<boolean>;
  connectedCallback(): void;
  disconnectedCallback(): void;
  requestUpdate(): void;
}

export declare class Directive {
  update(part: { element: HTMLElement }, values: any[]): unknown;
  render(...values: any[]): unknown;
}
export declare function directive<Values extends unknown[]>(
  kind: new (...parts: any[]) => { render(...values: Values): unknown },
): (...values: Values) => unknown;

export declare function keyed(key: unknown, value: unknown): unknown;
export declare function live(value: unknown): unknown;
export declare function until(...values: unknown[]): unknown;
export declare function repeat<Item>(
  items: Iterable<Item>,
  key: (item: Item, index: number) => unknown,
  template: (item: Item, index: number) => unknown,
): unknown;
