import { endpoint } from '../../../../../../src/schemas/define/endpoint.ts'

export const endpoints = {
  startDrill: endpoint('POST', 'drill/:id/start', { scopes: ['nezha:alertrule:write'] }),
} as const
