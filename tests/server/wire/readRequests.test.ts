import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileEntity } from '../../../server/entities/compileEntity.ts'
import { ApiError } from '../../../server/wire/apiCall.ts'
import { entriesOf, itemsOf, type JsonNode, parseJson } from '../../../server/wire/parseJson.ts'
import { readIds, readPathId, readQueryIds } from '../../../server/wire/readFields.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { choice, flag, idSet, jsonText, multiline, name, ref, refs } from '../../../src/schemas/define/fields.ts'

const toy = defineEntity({
  name: 'toy-box',
  form: z.object({
    name: name(),
    note: multiline().optional(),
    place: z.int().default(0),
    size: z.int().min(0).optional(),
    level: z.int().min(0).max(255).optional(),
    share: z.number().optional(),
    open: flag(),
    colour: choice({ 1: 'red', 2: 'blue' }).optional(),
    owner: ref('user').optional(),
    toys: refs('toy').default([]),
    skip: idSet('toy').optional(),
    tags: z.array(z.string()).optional(),
    domains: jsonText(z.record(z.string().regex(/^\d+$/), z.array(z.string())).optional()).optional(),
    rules: jsonText(z.array(z.object({ type: z.string() }))).optional(),
  }),
})

const read = (body: string) => compileEntity(toy).readForm(body)

describe('a body that is not JSON is refused in the words of the contract', () => {
  it.each([
    ['', 'EOF'],
    ['  \n', 'EOF'],
    ['{"name":', 'unexpected EOF'],
    ['{"name":"x', 'unexpected EOF'],
    ['{"name', 'unexpected EOF'],
    ['[1,', 'unexpected EOF'],
    ['tru', 'unexpected EOF'],
    ['-', 'unexpected EOF'],
    [String.raw`"\u12`, 'unexpected EOF'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['name=x', "invalid character 'a' in literal null (expecting 'u')"],
    ['é', "invalid character 'Ã' looking for beginning of value"],
    ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
    ['\u0000', String.raw`invalid character '\x00' looking for beginning of value`],
    ['{name: 1}', "invalid character 'n' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['"a\nb"', String.raw`invalid character '\n' in string literal`],
    [String.raw`"\x41"`, "invalid character 'x' in string escape code"],
    [String.raw`"\u00g0"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
    ['nul1', "invalid character '1' in literal null (expecting 'l')"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e+x', "invalid character 'x' in exponent of numeric literal"],
    ['[01]', "invalid character '1' after array element"],
    ['['.repeat(100_000), 'exceeded max depth'],
  ])('%j: %s', (body, words) => {
    expect(() => parseJson(body)).toThrow(words)
  })
})

describe('whatever is in a body', () => {
  /** The same numbers at every run. */
  function numbers(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }

  const random = numbers(7)
  const oneOf = (choices: readonly string[]) => choices[random(choices.length)] as string
  const many = (make: () => string) => Array.from({ length: random(4) }, make).join(',')
  const space = () => oneOf(['', '', ' ', '\n\t', '\r'])
  const letters = String.raw`a B é 😀 \u2028 \u00e9 \ud800 \ud83d\ude00 \n \" \\ \/ __proto__`.split(' ')
  const text = (of: readonly string[]) => `"${Array.from({ length: random(4) }, () => oneOf(of)).join('')}"`
  const string = () => text(letters)
  // Without escapes: JSON.parse of Node 24.21 takes the key "\"" of some objects for a backslash.
  const key = () => oneOf(['"a"', '"A"', '"1"', text(letters.filter((letter) => !letter.startsWith('\\')))])
  const scalars = ['0', '-0', '1.50', '1e3', '-7E-2', '9007199254740993', '1e999', 'true', 'false', 'null']

  function value(depth = 0): string {
    const kind = random(depth > 4 ? 2 : 4)
    if (kind === 0) return string()
    if (kind === 1) return oneOf(scalars)
    const member = () => `${space()}${key()}${space()}:${space()}${value(depth + 1)}`
    return kind === 2
      ? `[${space()}${many(() => value(depth + 1))}${space()}]`
      : `{${space()}${many(member)}${space()}}`
  }

  /** Adds or takes away a character somewhere, perhaps. */
  function altered(text: string): string {
    const at = random(text.length + 1)
    const added = oneOf(['x', '"', '}', ']', ',', ':', '\\', '1', '-', '.', '\u0001', ' '])
    return text.slice(0, at) + oneOf(['', added]) + text.slice(at + random(2))
  }

  /** A whole tree, for which the reader reads no more than one level at once. */
  function plain(node: JsonNode): unknown {
    if (node.kind === 'object') return Object.fromEntries(entriesOf(node).map(([key, of]) => [key, plain(of)]))
    if (node.kind === 'array') return itemsOf(node).map(plain)
    if (node.kind === 'number') return Number(node.text)
    return node.kind === 'null' ? null : node.value
  }

  const wellFormed = (value: unknown): unknown => {
    if (typeof value === 'string') return value.toWellFormed()
    if (Array.isArray(value)) return value.map(wellFormed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key.toWellFormed(), wellFormed(of)]))
  }

  /** What JSON.parse makes of a text, with the replacement character for lone surrogates; `undefined` for no JSON. */
  function parsed(text: string): unknown {
    try {
      return wellFormed(JSON.parse(text))
    } catch {
      return undefined
    }
  }

  it('it is taken for what JSON.parse takes it for, and refused where that refuses it', () => {
    const count = { read: 0, refused: 0 }
    for (let run = 0; run < 20_000; run++) {
      const body = random(2) === 0 ? value() : altered(value())
      let read: unknown
      try {
        const node = parseJson(`[${body}]`)
        // What follows the first value is ignored, which JSON.parse does not do.
        const isWhole = node.kind === 'array' && node.source.length === body.length + 2
        if (!isWhole) continue
        read = plain(node)
        count.read++
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
        count.refused++
      }
      expect(read, body).toEqual(parsed(`[${body}]`))
    }
    expect(Math.min(count.read, count.refused)).toBeGreaterThan(2000)
  })

  it.each([
    ['[]', 100_000],
    ['"a":1', 100_000],
  ])('more than 100,000 of %s are refused as soon as they are met, also where nobody reads them', (part, most) => {
    const body = (values: number) => {
      const parts = Array.from({ length: values }, () => part).join(',')
      return part.includes(':') ? `{"unknown":{${parts}}}` : `{"unknown":[${parts}]}`
    }
    // The object and what is in it are values as well.
    expect(read(body(most - 2))).toEqual({})
    expect(() => read(body(most - 1))).toThrow('too many values: at most 100000')
  })
})

describe('a value of the wrong type is refused with the name of its field', () => {
  const field = (what: string, path: string, type: string) =>
    `json: cannot unmarshal ${what} into Go struct field ToyBoxForm.${path} of type ${type}`

  it.each([
    ['{"name":5}', field('number', 'name', 'string')],
    ['{"name":{}}', field('object', 'name', 'string')],
    ['{"open":"yes"}', field('string', 'open', 'bool')],
    ['{"open":1}', field('number', 'open', 'bool')],
    ['{"place":"1"}', field('string', 'place', 'int')],
    ['{"place":1.5}', field('number 1.5', 'place', 'int')],
    ['{"place":9007199254740993}', field('number 9007199254740993', 'place', 'int')],
    ['{"size":-1}', field('number -1', 'size', 'uint64')],
    ['{"level":256}', field('number 256', 'level', 'uint8')],
    ['{"colour":256}', field('number 256', 'colour', 'uint8')],
    ['{"share":1e999}', field('number 1e999', 'share', 'float64')],
    ['{"owner":true}', field('bool', 'owner', 'uint64')],
    ['{"toys":{}}', field('object', 'toys', '[]uint64')],
    ['{"toys":["1"]}', field('string', 'toys', 'uint64')],
    ['{"skip":[1]}', field('array', 'skip', 'map[uint64]bool')],
    ['{"skip":{"x":true}}', field('number x', 'skip', 'uint64')],
    ['{"skip":{"1":1}}', field('number', 'skip', 'bool')],
    ['{"tags":"a"}', field('string', 'tags', '[]string')],
    ['{"domains":"x"}', field('string', 'domains', 'map[uint64][]string')],
    ['{"domains":{"abc":["x"]}}', field('number abc', 'domains', 'uint64')],
    ['{"place":"first","name":5}', field('string', 'place', 'int')],
    ['[]', 'json: cannot unmarshal array into Go value of type model.ToyBoxForm'],
    ['"x"', 'json: cannot unmarshal string into Go value of type model.ToyBoxForm'],
    ['true', 'json: cannot unmarshal bool into Go value of type model.ToyBoxForm'],
  ])('%s', (body, words) => {
    expect(() => read(body)).toThrow(words)
  })

  it('a syntax error is reported first', () => {
    expect(() => read('{"name":5,')).toThrow('unexpected EOF')
  })
})

describe('a good body', () => {
  it('is read without its unknown keys', () => {
    expect(
      read(
        '{"NAME":" x ","place":-3,"open":true,"toys":[2,1,null],"skip":{"07":true},"id":9,"__proto__":{"a":1}} tail',
      ),
    ).toEqual({ name: ' x ', place: -3, open: true, toys: [2, 1, 0], skip: { 7: true } })
  })

  it('keeps structured values as they are', () => {
    expect(read('{"domains":{"1":["a"]},"rules":[{"type":"cpu","extra":[1,{"b":null}]}]}')).toEqual({
      domains: { 1: ['a'] },
      rules: [{ type: 'cpu', extra: [1, { b: null }] }],
    })
  })

  it('may contain escapes; a lone surrogate becomes the replacement character', () => {
    expect(read(String.raw`{"name":"\u00e9\"\/\n\ud83d\ude00","note":"\ud800"}`)).toEqual({
      name: 'é"/\n😀',
      note: '\uFFFD',
    })
  })

  it('treats null as left out', () => {
    expect(read('{"name":null}')).toEqual({})
    expect(read('null')).toEqual({})
  })

  it('is completed with zero values, for an update replaces everything', () => {
    expect(compileEntity(toy).completeForm({ name: 'x' })).toEqual({
      name: 'x',
      note: '',
      place: 0,
      size: 0,
      level: 0,
      share: 0,
      open: false,
      colour: 0,
      owner: 0,
      toys: [],
      skip: null,
      tags: [],
      domains: null,
      rules: null,
    })
  })
})

describe('ids', () => {
  it('of a batch call are a list of whole numbers, or null', () => {
    expect(readIds('[3, 1]')).toEqual([3, 1])
    expect(readIds('null')).toEqual([])
    expect(() => readIds('{"ids":[1]}')).toThrow('json: cannot unmarshal object into Go value of type []uint64')
    expect(() => readIds('[1.5]')).toThrow('json: cannot unmarshal number 1.5 into Go value of type uint64')
  })

  it('of a path are whole numbers', () => {
    expect(readPathId('42')).toBe(42)
    expect(() => readPathId('-1')).toThrow('strconv.ParseUint: parsing "-1": invalid syntax')
    expect(() => readPathId('1e3')).toThrow('invalid syntax')
    expect(() => readPathId('99999999999999999999999')).toThrow('value out of range')
  })

  it('of a query are read, without what is not a number', () => {
    expect([...readQueryIds({ id: '1,x,3,' })]).toEqual([1, 3])
    expect([...readQueryIds({})]).toEqual([])
    expect([...readQueryIds({ id: ['1', '2'] })]).toEqual([])
  })
})
