import type { z } from 'zod'
import { type Contract, type ContractCycle, contract } from '../../schemas/machines/contract.ts'
import { publicNote } from '../../schemas/machines/publicNote.ts'
import { asFigure, readBytes } from './readBytes.ts'

/** The words for cycles in notes: those of the form, and those of other programs. */
const cycles: Readonly<Record<string, ContractCycle>> = {
  month: 'month',
  monthly: 'month',
  m: 'month',
  mo: 'month',
  月: 'month',
  quarter: 'quarter',
  quarterly: 'quarter',
  季: 'quarter',
  half: 'half',
  semiannually: 'half',
  半年: 'half',
  year: 'year',
  yearly: 'year',
  annual: 'year',
  y: 'year',
  yr: 'year',
  年: 'year',
}

const symbols: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'CNY',
  '₽': 'RUB',
  '₹': 'INR',
}

/**
 * What a public note in the known form says of price, end and traffic; `undefined` for another text, and for a note
 * that says nothing of them. What cannot be read as a figure is left out.
 */
export function contractOfNote(text: string): Partial<Contract> | undefined {
  const { billingDataMod = {}, planDataMod = {} } = readNote(text)
  const { amount = '', endDate = '', autoRenewal, cycle = '' } = billingDataMod as Record<string, string>
  const { trafficVol = '', trafficType } = planDataMod as Record<string, string>
  const known: Partial<Contract> = {
    ...readAmount(amount),
    ...readCycle(cycle),
    ...readEnd(endDate),
    ...(autoRenewal === '1' && { renews: true }),
    ...readVolume(trafficVol, trafficType),
  }
  return Object.keys(known).length > 0 && contract.safeParse(known).success ? known : undefined
}

function readNote(text: string): z.output<typeof publicNote> {
  try {
    return publicNote.safeParse(JSON.parse(text)).data ?? {}
  } catch {
    return {}
  }
}

/** `200EUR`, `$5.99`, `5,99 €`. */
function readAmount(amount: string): Partial<Contract> {
  const [, before = '', digits, after = ''] =
    /^([^\d\s.,-]*)\s*(\d+(?:[.,]\d{1,2})?)\s*([^\d\s]*)$/.exec(asFigure(amount)) ?? []
  if (digits === undefined) return {}
  const word = before || after
  const code = symbols[word] ?? word.toUpperCase()
  return { price: Number(digits.replace(',', '.')), ...(/^[A-Z]{3}$/.test(code) && { currency: code }) }
}

function readCycle(text: string): Partial<Contract> {
  const cycle = cycles[text.trim().toLowerCase()]
  return cycle ? { cycle } : {}
}

/** The year 0 stands for no end. */
const readEnd = (end: string): Partial<Contract> =>
  !end.startsWith('0000') && contract.shape.ends_at.safeParse(end).success && end !== '' ? { ends_at: end } : {}

/** `1TiB`, `500 GB/Month`. */
function readVolume(volume: string, type: string | undefined): Partial<Contract> {
  const bytes = readBytes(volume.split('/', 1)[0] ?? '')
  return bytes ? { quota_bytes: bytes, quota_counts: type === '1' ? 'out' : 'sum' } : {}
}
