import { z } from 'zod'

/**
 * How the values of a public note are edited. All of them are texts on the wire
 * (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands).
 */
export const noteParts = {
  billingDataMod: { startDate: 'date', endDate: 'end', autoRenewal: 'flag', cycle: 'cycle', amount: 'text' },
  planDataMod: {
    bandwidth: 'text',
    trafficVol: 'text',
    trafficType: 'traffic',
    IPv4: 'flag',
    IPv6: 'flag',
    networkRoute: 'text',
    extra: 'text',
  },
} as const

const texts = (names: object) =>
  z.looseObject(Object.fromEntries(Object.keys(names).map((name) => [name, z.string().optional()])))

/** A public note that fits the form; keys beyond it are allowed. Servers store any text. */
export const publicNote = z.looseObject({
  billingDataMod: texts(noteParts.billingDataMod).optional(),
  planDataMod: texts(noteParts.planDataMod).optional(),
})
