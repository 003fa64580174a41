import { createReceiver, type ReceivedRequest } from './receiver.ts'

interface Record {
  id: string
  type: string
  name: string
  content: string
  ttl: number
  proxied: boolean
}

/** A fake of the part of Cloudflare's API that DNS updates need, for one token. */
export async function cloudflareApi(token: string, zones: readonly { id: string; name: string }[]) {
  const records = new Map<string, Record[]>(zones.map(({ id }) => [id, []]))
  const receiver = await createReceiver((reply, received) => {
    const [status, body] = answer(received)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const success = (result: unknown): [number, object] => [200, { success: true, errors: [], messages: [], result }]
  const failure = (status: number, code: number, message: string): [number, object] => [
    status,
    { success: false, errors: [{ code, message }], messages: [], result: null },
  ]

  function answer({ method, url = '', headers, body }: ReceivedRequest): [number, object] {
    if (headers.authorization !== `Bearer ${token}`) return failure(403, 9109, 'Invalid access token')
    const { pathname, searchParams } = new URL(url, receiver.origin)
    if (pathname === '/client/v4/zones') return success(zones.filter(({ name }) => name === searchParams.get('name')))
    const [, zone = '', id] = /^\/client\/v4\/zones\/(\w+)\/dns_records(?:\/(\w+))?$/.exec(pathname) ?? []
    const list = records.get(zone)
    if (!list) return failure(404, 7003, 'Could not route to the zone')
    if (method === 'GET') {
      const [type, name] = [searchParams.get('type'), searchParams.get('name.exact')]
      return success(list.filter((record) => record.type === type && record.name === name))
    }
    const given = JSON.parse(body) as Partial<Record>
    if (method === 'POST' && !id) {
      if (given.ttl !== 1 && (given.ttl ?? 0) < 60) return failure(400, 1004, 'DNS Validation Error')
      list.push({ id: `r${list.length + 1}`, ...given } as Record)
      return success(list.at(-1))
    }
    const record = list.find((one) => one.id === id)
    if (method !== 'PATCH' || !record) return failure(404, 81044, 'Record does not exist.')
    return success(Object.assign(record, given))
  }

  return { base: `${receiver.origin}/client/v4`, records, calls: receiver.deliveries, close: receiver.close }
}
