import type { TextArgs } from '../../../../i18n/fillText.ts'
import { fieldsIn } from '../../../schemas/define/values.ts'

/** A saved command. */
export interface Snippet {
  name: string
  text: string
}

const parameter = /\{\{\s*([\p{L}][\p{L}\p{N}_-]{0,39})\s*\}\}/gu

/** The names of a snippet's parameters, `{{name}}`, each once. */
export const parametersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(parameter)].map(([, name = '']) => name)),
]

/** The text with the values of its parameters. A value is put there as it is: it may be several words, or quoted. */
export const fillSnippet = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(parameter, (whole, name: string) => values[name] ?? whole)

/** What is wrong with a file of snippets: which of the texts about it, and its arguments. */
export class SnippetProblem extends Error {
  readonly key: 'not_json' | 'no_list' | 'no_name' | 'no_text'
  readonly args: TextArgs

  constructor(key: SnippetProblem['key'], args: TextArgs = {}, cause?: unknown) {
    super(key, { cause })
    this.key = key
    this.args = args
  }
}

/** The snippets as a file: JSON that a person can read and edit. */
export const exportSnippets = (snippets: readonly Snippet[]): string =>
  `${JSON.stringify({ snippets: snippets.map(({ name, text }) => ({ name, text })) }, null, 2)}\n`

/**
 * Reads what `exportSnippets` has written, or a bare list of the same.
 * @throws SnippetProblem that names the place; nothing is taken from a file that has one
 */
export function readSnippets(file: string): Snippet[] {
  const value = parse(file)
  const list: unknown = Array.isArray(value) ? value : fieldsIn(value).snippets
  if (!Array.isArray(list)) throw new SnippetProblem('no_list')
  return list.map((item: unknown, index) => {
    const { name, text } = fieldsIn(item)
    if (typeof name !== 'string' || name.trim() === '') throw new SnippetProblem('no_name', { number: index + 1 })
    if (typeof text !== 'string' || text === '') throw new SnippetProblem('no_text', { number: index + 1, name })
    return { name: name.trim(), text }
  })
}

function parse(file: string): unknown {
  try {
    return JSON.parse(file.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new SnippetProblem('not_json', {}, cause)
  }
}

/**
 * Adds snippets to those there are: what is there already stays once, and equal names with other texts get a number.
 */
export function mergeSnippets(existing: readonly Snippet[], added: readonly Snippet[]): Snippet[] {
  const all = [...existing]
  for (const { name, text } of added) {
    if (all.some((other) => other.text === text && baseName(other.name) === baseName(name))) continue
    all.push({ name: freeName(name, all), text })
  }
  return all
}

/** The name itself, or the first with a number behind it that nobody has. */
export function freeName(name: string, taken: readonly Snippet[]): string {
  const isFree = (candidate: string) => !taken.some((other) => other.name === candidate)
  if (isFree(name)) return name
  for (let number = 2; ; number += 1) {
    const numbered = `${baseName(name)} (${number})`
    if (isFree(numbered)) return numbered
  }
}

const baseName = (name: string) => name.replace(/ \(\d+\)$/, '')
