import { describe, expect, it } from 'vitest'
import { mostAddresses, readAddresses } from '../../../src/resources/service/addresses/AddressesDialog.tsx'

const read = (text: string, known: readonly string[] = []) =>
  readAddresses(text, new Set(known)).addresses.map(({ name, type, target, problem }) => [name, type, target, problem])

describe('A pasted list of addresses', () => {
  it('is read by what each line looks like, with names before and behind', () => {
    const text = `
      https://shop.example/
      # the office
      Mail, mail.example:25
      192.0.2.1\tRouter
      db.example:5432; Orders
      [2001:db8::1]:22
    `
    expect(read(text)).toEqual([
      ['shop.example', 1, 'https://shop.example/', undefined],
      ['Mail', 3, 'mail.example:25', undefined],
      ['Router', 2, '192.0.2.1', undefined],
      ['Orders', 3, 'db.example:5432', undefined],
      ['[2001:db8::1]:22', 3, '[2001:db8::1]:22', undefined],
    ])
  })

  it('says what is no address, what there is already, and what stands there twice', () => {
    expect(read('http://\na.example:1\nb.example:2\nb.example:2', ['a.example:1'])).toEqual([
      ['http://', 0, 'http://', 'unreadable'],
      ['a.example:1', 3, 'a.example:1', 'known'],
      ['b.example:2', 3, 'b.example:2', undefined],
      ['b.example:2', 3, 'b.example:2', 'known'],
    ])
  })

  it('has an end, and says how many lines are beyond it', () => {
    const { addresses, leftOut } = readAddresses(`${'a.example\n'.repeat(mostAddresses + 3)}\n# end\n`, new Set())
    expect([addresses.length, leftOut]).toEqual([mostAddresses, 3])
  })
})
