import { takeTurns } from '../../concurrency/takeTurns.ts'
import { success } from '../../wire/apiCall.ts'

/**
 * The reply with a list, as JSON text: made record by record, so that others can work while it is made of ten thousand.
 * The records are asked for one after the other.
 */
export async function listReply(records: Iterable<unknown>): Promise<string> {
  const turn = takeTurns()
  const texts: string[] = []
  for (const record of records) {
    texts.push(JSON.stringify(record))
    await turn()
  }
  return texts.length === 0 ? JSON.stringify(success()) : `{"success":true,"data":[${texts.join(',')}]}`
}

/** As `listReply`, of an object: its members one after the other, then those of `rest`. */
export async function objectReply(
  name: string,
  members: Iterable<readonly [key: string | number, value: object]>,
  rest: object,
): Promise<string> {
  const turn = takeTurns()
  const texts: string[] = []
  for (const [key, value] of members) {
    texts.push(`${JSON.stringify(String(key))}:${JSON.stringify(value)}`)
    await turn()
  }
  const others = JSON.stringify(rest).slice(1, -1)
  const all = texts.length > 0 ? [`${JSON.stringify(name)}:{${texts.join(',')}}`] : []
  return `{"success":true,"data":{${[...all, ...(others ? [others] : [])].join(',')}}}`
}

/** What these replies are, for their header. */
export const jsonType = 'application/json; charset=utf-8'
