import { rowLimits } from '../parts/rows.ts'
import { CheckFailure } from '../parts/runner.ts'
import { noMysql, type Packets, refusal } from './packets.ts'

const maxColumns = 500

/** Reads the first rows of a reply. @param first its first packet, with the number of columns @throws CheckFailure */
export async function readRows(packets: Packets, first: Buffer): Promise<(string | null)[][]> {
  const columns = lengthAt(first, 0)?.value ?? 0
  if (columns > maxColumns) throw new CheckFailure('too_much')
  // What the columns are called, and an end after it.
  for (let index = 0; index <= columns; index++) await packets.read()
  const rows: (string | null)[][] = []
  while (rows.length < rowLimits.rows) {
    const packet = await packets.read()
    if (packet[0] === 0xff) throw refusal(packet)
    if (packet[0] === 0xfe && packet.length < 9) break
    rows.push(valuesOf(packet, columns))
  }
  return rows
}

function valuesOf(packet: Buffer, columns: number): (string | null)[] {
  const values: (string | null)[] = []
  let at = 0
  for (let index = 0; index < columns; index++) {
    if (packet[at] === 0xfb) {
      values.push(null)
      at++
      continue
    }
    const length = lengthAt(packet, at)
    if (!length || length.end + length.value > packet.length) throw noMysql(packet)
    values.push(packet.toString('utf8', length.end, length.end + Math.min(length.value, rowLimits.value)))
    at = length.end + length.value
  }
  return values
}

/** A length, in one byte, or in two, three or eight after it. */
function lengthAt(packet: Buffer, at: number): { value: number; end: number } | undefined {
  const first = packet[at]
  if (first === undefined || first === 0xfb || first === 0xff) return undefined
  if (first < 0xfb) return { value: first, end: at + 1 }
  const bytes = first === 0xfc ? 2 : first === 0xfd ? 3 : 8
  const end = at + 1 + bytes
  if (end > packet.length) return undefined
  return { value: bytes === 8 ? Number(packet.readBigUInt64LE(at + 1)) : packet.readUIntLE(at + 1, bytes), end }
}
