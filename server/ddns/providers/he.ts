import { DdnsFailure, type Provider } from '../provider.ts'

/** What no repetition heals; who repeats them is shut out for abuse. */
const final = new Set(['badauth', 'nohost', 'notfqdn', 'numhost', 'abuse', 'badagent', '!donator', '!yours'])

/**
 * Hurricane Electric's update address, which speaks the protocol of DynDNS. The access secret is the key of the one
 * record; the record has to be there, with dynamic updates switched on.
 */
export const he =
  (url: string): Provider =>
  async ({ settings, domain, address }, ask) => {
    const password = settings.access_secret
    if (password === '') {
      throw new DdnsFailure('The profile has no access secret: enter the key of the record.', { isFinal: true })
    }
    const { text, body } = await ask({
      method: 'POST',
      url,
      headers: () => ({ 'content-type': 'application/x-www-form-urlencoded' }),
      // In the body, for addresses are written down on the way.
      body: new URLSearchParams({ hostname: domain, password, myip: address }).toString(),
    })
    const [word = ''] = body.trim().split(/\s/)
    if (word === 'good' || word === 'nochg') return
    throw new DdnsFailure(body.trim() || text, { isFinal: final.has(word) })
  }
