import { describe, expect, it } from 'vitest'
import { contractOfNote } from '../../../src/domain/contract/noteContract.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'

const note = (billingDataMod: object, planDataMod = {}) => JSON.stringify({ billingDataMod, planDataMod })

describe('what a public note says of a contract', () => {
  it('is taken over as far as it can be read', () => {
    const full = note(
      { endDate: '2027-03-01T00:00:00+08:00', autoRenewal: '1', cycle: 'Year', amount: '200EUR' },
      { trafficVol: '1TiB/Month', trafficType: '1' },
    )
    expect(contractOfNote(full)).toEqual({
      price: 200,
      currency: 'EUR',
      cycle: 'year',
      ends_at: '2027-03-01T00:00:00+08:00',
      renews: true,
      quota_bytes: 2 ** 40,
      quota_counts: 'out',
    })
  })

  it.each([
    ['$5.99', { price: 5.99, currency: 'USD' }],
    ['5,99 €', { price: 5.99, currency: 'EUR' }],
    ['12usd', { price: 12, currency: 'USD' }],
    ['30', { price: 30 }],
    ['0', { price: 0 }],
  ])('reads an amount as %s', (amount, read) => {
    expect(contractOfNote(note({ amount }))).toEqual(read)
  })

  it.each(['free', '1,000.00 USD', '-5 EUR', '1e999'])('leaves out an amount as %s', (amount) => {
    expect(contractOfNote(note({ amount, cycle: 'Month' }))).toEqual({ cycle: 'month' })
  })

  it.each([
    ['500GB', 500e9],
    ['2 TiB', 2 * 2 ** 40],
    ['1.5T', 1.5e12],
  ])('reads %s of traffic, in both directions', (trafficVol, quota_bytes) => {
    expect(contractOfNote(note({}, { trafficVol, trafficType: '2' }))).toEqual({ quota_bytes, quota_counts: 'sum' })
  })

  it('is not looked for in thousands of blanks', async () => {
    const blanks = `${' '.repeat(60_000)}x`
    await expectLessProcessorTime(500, () => {
      expect(contractOfNote(note({ amount: blanks }, { trafficVol: blanks }))).toBeUndefined()
      expect(contractOfNote(note({}, { trafficVol: `${'/'.repeat(60_000)}\n` }))).toBeUndefined()
    })
  })

  it.each(['', 'some text', '[]', '{"billingDataMod":{}}', note({ endDate: '0000-00-00T23:59:59+08:00' })])(
    'is nothing in %s',
    (text) => expect(contractOfNote(text)).toBeUndefined(),
  )
})
