import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileEntity } from '../../../server/entities/compileEntity.ts'
import { parseJson } from '../../../server/wire/parseJson.ts'
import { readIds, readPathId, readQueryIds } from '../../../server/wire/readIds.ts'
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
