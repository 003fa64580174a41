import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CommandError } from './commandError.mjs'

/**
 * @typedef {object} NumberOption
 * @property {string} help what the number is for, one line
 * @property {number} default
 * @property {number} min
 * @property {number} [max]
 * @property {boolean} [fraction] whether it need not be a whole number
 */

/**
 * @template {string} [Name=string]
 * @typedef {object} Command
 * @property {string} name as it is called, such as `npm run seed --`
 * @property {string} description what it does, in a sentence or more
 * @property {Readonly<Record<Name, NumberOption>>} [options] by name without the dashes
 * @property {Readonly<Record<string, string>>} [flags] options without a value, and what each does, by name without the dashes
 * @property {{ argument: string, values: readonly string[] }} [choices] words that may follow, any number of them
 */

/**
 * Reads the arguments of this process. Prints the help and ends the process where `--help` asks for it, or a sentence
 * where something is wrong with them.
 *
 * @template {string} Name
 * @param {Command<Name>} command
 * @returns {{ numbers: Record<Name, number>, names: string[], flags: string[] }} `names` are the chosen words, in their order
 */
export function readArguments(command) {
  try {
    const read = parseArguments(command, process.argv.slice(2))
    if (read) return /** @type {{ numbers: Record<Name, number>, names: string[], flags: string[] }} */ (read)
    // Written at once: process.exit does not wait for a pipe.
    writeSync(1, helpOf(command))
    process.exit(0)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    writeSync(2, `${error.message}\n`)
    process.exit(error.exitCode)
  }
}

/**
 * @param {Command} command
 * @param {string[]} args
 * @returns {{ numbers: Record<string, number>, names: string[], flags: string[] } | undefined} undefined when `--help` is among them
 * @throws {CommandError} for an argument that does not exist or whose value is not allowed
 */
export function parseArguments({ name, options = {}, flags = {}, choices }, args) {
  const declared = Object.fromEntries(
    Object.keys(options).map((key) => [key, { type: /** @type {const} */ ('string') }]),
  )
  const help = { type: /** @type {const} */ ('boolean'), short: 'h' }
  const { tokens } = parseArgs({ args, options: { ...declared, help }, strict: false, tokens: true })
  const numbers = Object.fromEntries(Object.entries(options).map(([key, option]) => [key, option.default]))
  const names = []
  /** @type {string[]} */
  const set = []
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'option' && token.name === 'help') return undefined
    const word = token.kind === 'option' ? token.rawName : token.value
    const option = token.kind === 'option' && Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (option && token.kind === 'option') {
      numbers[token.name] = readNumber(word, token.value, option)
    } else if (token.kind === 'option' && Object.hasOwn(flags, token.name) && token.value === undefined) {
      set.push(token.name)
    } else if (token.kind === 'positional' && choices?.values.includes(word)) {
      names.push(word)
    } else {
      const expected = choices ? `there are: ${choices.values.join(', ')}` : `${name} --help lists the arguments.`
      throw new CommandError(`Unknown argument ${word}: ${expected}`, 2)
    }
  }
  return { numbers, names, flags: set }
}

/**
 * @param {string} option such as `--minutes`
 * @param {string | undefined} text
 * @param {NumberOption} limits
 */
function readNumber(option, text, { min, max = Number.POSITIVE_INFINITY, fraction = false }) {
  const number = text === undefined || text === '' ? Number.NaN : Number(text)
  if (number >= min && number <= max && (fraction || Number.isInteger(number))) return number
  const range = Number.isFinite(max) ? `from ${min} to ${max}` : `of ${min} or more`
  throw new CommandError(`${option} is "${text ?? ''}": give a ${fraction ? '' : 'whole '}number ${range}.`)
}

/**
 * @param {Command} command
 * @returns {string} what `--help` prints
 */
export function helpOf({ name, description, options = {}, flags = {}, choices }) {
  const lines = [
    ...(choices ? [[choices.argument, choices.values.join(', ')]] : []),
    ...Object.entries(options).map(([key, option]) => [`--${key} NUMBER`, `${option.help} (${option.default})`]),
    ...Object.entries(flags).map(([key, help]) => [`--${key}`, help]),
    ['--help', 'prints this'],
  ]
  const width = Math.max(...lines.map(([left = '']) => left.length))
  const words = [
    name,
    ...(choices ? [`[${choices.argument} ...]`] : []),
    ...Object.keys(options).map(usageOf),
    ...Object.keys(flags).map((flag) => `[--${flag}]`),
  ]
  const list = lines.map(([left = '', right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
  return `Usage: ${words.join(' ')}\n\n${description}\n\n${list}`
}

/** @param {string} option */
function usageOf(option) {
  return `[--${option} NUMBER]`
}
