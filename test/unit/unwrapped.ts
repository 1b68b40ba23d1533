import ts from 'typescript';

/** A text in a source that reads like words for a person and does not go through l10n. */
export interface Unwrapped {
  readonly line: number;
  /** With `{}` for the values of a template. */
  readonly text: string;
  /** The nearest name around it: of a property, variable, function or method. */
  readonly within: string;
}

/** Properties, attributes and members whose text a person sees. */
const SHOWN =
  /^(label|title|description|detail|tooltip|placeholder|placeHolder|prompt|about|sentence|message|heading|caption|openLabel|saveLabel|textContent|innerText|alt|summary|aria-label|aria-description|aria-roledescription|ariaLabel)$/;

/** Functions, the text of whose arguments a person sees; of those of {@link NAMED} that after a name. */
const SHOWING =
  /(^|\.)(h|svg|say\.\w+|show\w+Message|setStatusBarMessage|createWebviewPanel|menuButton|contextMenu|dots|spaced)$/;
const NAMED = /(^|\.)(h|svg|createWebviewPanel|contextMenu)$/;

/** Attributes of an element that hold names of styles and shapes. */
const MARKUP = /^(class|style|d|points|transform|viewBox)$/;

/** Properties and members whose text programs read: keys, lists of names in files, formats, fonts. */
const FOR_PROGRAMS = /^(id|names|contextValue|from|format|authorization|font|fontFamily)$/;

/** Functions whose arguments are styles. */
const STYLING = /(^|\.)(matchMedia|setProperty)$/;

/** Markup, an address, rules of a page, and an icon. */
const NO_WORDS = /^(<[a-z!]|https?:|(style|img|script|font)-src |\$\([\w-]+\) \{\}$)/;

/** Where words are for programmers: log lines, and errors that only a defect throws. */
const FOR_PROGRAMMERS = /(^|\.)(log|#log)\.\w+$|^(Error|TypeError|RangeError)$|^assert/;

/** Two words, or a word beside a value. */
const SENTENCE = /\p{L}{2,}[,:;…]? [\p{L}{(“"]|\} \p{L}{2,}|^\p{Lu}\p{Ll}+…$/u;
const WORD = /\p{L}{2,}/u;

/** The text of a literal or template, with `{}` for its values. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

/** The literals that an expression may come to: both branches of a choice, and what stands in where something is absent. */
function literalsOf(node: ts.Node): ts.Node[] {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return literalsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && /^(\?\?|\|\||\+)$/.test(node.operatorToken.getText())) {
    return [...literalsOf(node.left), ...literalsOf(node.right)];
  }
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return literalsOf(node.body);
  return textOf(node) === undefined ? [] : [node];
}

const nameOf = (name: ts.PropertyName): string => (ts.isComputedPropertyName(name) ? '' : name.text);

/** Whether all that is below an expression is for programs. */
function isForPrograms(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return FOR_PROGRAMS.test(nameOf(node.name));
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return ts.isPropertyAccessExpression(node.left) && FOR_PROGRAMS.test(node.left.name.text);
  }
  return ts.isCallExpression(node) && STYLING.test(node.expression.getText());
}

/** The name of the nearest property, variable, function or method around a node; one in quotes is no name. */
function nameAround(node: ts.Node): string {
  for (let one = node.parent; !ts.isSourceFile(one); one = one.parent) {
    const name = NAMED_KINDS.some((isOne) => isOne(one)) && (one as ts.NamedDeclaration).name;
    if (name && ts.isIdentifier(name)) return name.text;
  }
  return '';
}
const NAMED_KINDS = [
  ts.isPropertyAssignment,
  ts.isPropertyDeclaration,
  ts.isVariableDeclaration,
  ts.isFunctionDeclaration,
  ts.isMethodDeclaration,
];

/** The expressions below which any word is one that a person sees. */
function shownIn(node: ts.Node): readonly ts.Node[] {
  if (ts.isJsxAttribute(node)) return SHOWN.test(node.name.getText()) && node.initializer ? [node.initializer] : [];
  if (ts.isJsxExpression(node)) {
    const isText = !ts.isJsxAttribute(node.parent) || SHOWN.test(node.parent.name.getText());
    return isText && node.expression ? [node.expression] : [];
  }
  if (ts.isPropertyAssignment(node) && SHOWN.test(nameOf(node.name))) return [node.initializer];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const isShown = ts.isPropertyAccessExpression(node.left) && SHOWN.test(node.left.name.text);
    return isShown ? [node.right] : [];
  }
  if (!ts.isCallExpression(node)) return [];
  const called = node.expression.getText();
  return SHOWING.test(called) ? node.arguments.slice(NAMED.test(called) ? 1 : 0) : [];
}

/**
 * The texts of a source that a person may see and that are in English whatever their language.
 * @param name of the source, whose ending says whether it has elements
 */
export function unwrappedIn(source: string, name = 'source.ts'): Unwrapped[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found = new Map<ts.Node, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && MARKUP.test(node.name.getText())) return;
    if (ts.isJsxText(node) && WORD.test(node.text)) found.set(node, node.text.trim());
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'said') {
      if (ts.isTemplateExpression(node.template)) node.template.templateSpans.forEach((span) => visit(span.expression));
      return;
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression.getText();
      if (FOR_PROGRAMMERS.test(called)) return;
      if (/(^|\.)l10n\.t$/.test(called)) {
        node.arguments?.slice(1).forEach(visit);
        return;
      }
    }
    if (isForPrograms(node)) return;
    for (const shown of shownIn(node)) {
      for (const literal of literalsOf(shown)) {
        const text = textOf(literal) ?? '';
        if (WORD.test(text.replaceAll('{}', ''))) found.set(literal, text);
      }
    }
    const text = ts.isPropertyAssignment(node.parent) && node.parent.name === node ? undefined : textOf(node);
    if (text !== undefined && SENTENCE.test(text)) found.set(node, text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  return [...found]
    .filter(([, text]) => !NO_WORDS.test(text))
    .map(([node, text]) => ({
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      text,
      within: nameAround(node),
    }));
}
