import { endpoint } from '../define/endpoint.ts'
import { publicStatus } from '../status/publicStatus.ts'

/** What the status page of the embedded server asks for; apart from the others, because the console needs none of it. */
export const statusEndpoints = {
  publicStatus: endpoint('GET', 'wheelhouse/status', {
    scopes: ['nezha:inventory:read'],
    reply: publicStatus,
    access: 'visitor',
    beforeSetup: true,
  }),
} as const
