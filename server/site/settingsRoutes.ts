import type { FastifyInstance } from 'fastify'
import { sameValue } from '../../src/schemas/define/sameValue.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { isHeaderName, siteSetting } from '../../src/schemas/settings/siteSetting.ts'
import { addressOf } from '../auth/addresses/clientAddress.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import type { Form } from '../entities/row.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { type RequestOf, route } from '../http/routes/route.ts'
import { ApiError } from '../wire/apiError.ts'
import { readSite, type Site, writeSite } from './site.ts'

interface SiteServices {
  store: Store
  /** Paths of the templates that visitors can be shown. */
  userTemplates: readonly string[]
}

/** Kept whatever a form says or leaves out: it is not for people to change here. */
const kept = ['admin_template', 'oauth2_providers'] as const

/** `PATCH /setting`, and what the address of a request would be behind another real-IP header. */
export function registerSiteSettings(app: FastifyInstance, services: SiteServices): void {
  const readSetting = (body: unknown) => compileEntity(siteSetting).readForm(body)
  route(app, 'updateSetting', endpoints.updateSetting, readSetting, (request) => update(request, services))
  route(app, 'addressSeen', endpoints.addressSeen, seenBehind)
}

function update(request: RequestOf<typeof endpoints.updateSetting>, { store, userTemplates }: SiteServices): void {
  const site = readSite(store)
  const next = replaced(site, request.body)
  if (!userTemplates.includes(next.user_template)) throw new ApiError('invalid user template')
  for (const name of ['web_real_ip_header', 'agent_real_ip_header']) {
    // It would be found in no request, and everybody shut out for a slip of the finger.
    if (!isHeaderName(String(next[name]))) throw new ApiError(`${name} is not the name of a header`)
  }
  writeSite(store, next)
  // What was never set is as good as empty, off or 0.
  const changed = Object.keys(next).filter((name) => !sameValue(site[name] || '', next[name] || ''))
  if (changed.length > 0) addAuditDetails(request, { detail: { settings: changed.join(', ') } })
}

/** The whole form anew: what is left out is cleared, but for `enable_mcp`. */
function replaced(site: Site, given: Form): Site {
  const form = compileEntity(siteSetting).completeForm({ enable_mcp: site.enable_mcp, ...given })
  const untouched = Object.fromEntries(kept.map((name) => [name, site[name]]))
  return {
    ...form,
    ...untouched,
    ignored_ip_notification_server_ids: idSet(String(form.ignored_ip_notification)),
  } as unknown as Site
}

/** `1,2,x` as `{ 1: true, 2: true }`. */
function idSet(text: string): Record<string, true> | undefined {
  const ids = text.split(',').flatMap((part) => (/^\s*\d+\s*$/.test(part) ? [Number(part)] : []))
  return ids.length === 0 ? undefined : Object.fromEntries(ids.map((id) => [id, true]))
}

function seenBehind(request: RequestOf<typeof endpoints.addressSeen>): { address?: string; problem?: string } {
  const { header } = request.params
  if (!isHeaderName(header)) throw new ApiError(`${header.slice(0, 64)} is not the name of a header`)
  try {
    return { address: addressOf(request, header) }
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message }
    throw error
  }
}
