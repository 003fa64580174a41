import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `<area>.<verb>`, as `user.delete`: the action under which the audit log records a request of this route, once
     * it was answered with success. Routes without it are not recorded.
     */
    auditAction?: string
  }
  interface FastifyRequest {
    /** What the handler adds to the line in the audit log; see `addAuditDetails`. */
    auditDetails?: AuditDetails
  }
}

interface AuditDetails {
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Numbers and outcomes by name. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** Adds to the line that the audit log gets for this request. Never content or secrets. */
export function addAuditDetails(request: FastifyRequest, { detail = {}, ...details }: AuditDetails): void {
  request.auditDetails = { ...request.auditDetails, ...details, ...(Object.keys(detail).length > 0 && { detail }) }
}

/** More than these are counted: a line has to stay a line. */
const namedAtMost = 20

/** Records or addresses as the target of an action: `user 7, 9`. Nothing for none. */
export function auditTarget(kind: string, values: readonly (number | string)[]): string | undefined {
  if (values.length === 0) return undefined
  const more = values.length - namedAtMost
  const named = values.slice(0, namedAtMost).map((value) => String(value).slice(0, 64))
  return `${kind} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Characters of all names together. */
const maxNameLength = 128

/**
 * The names of records as a detail of an action, so that they can be read after the records were renamed or deleted;
 * nothing for none.
 * @param nameOf called for the records that are named. Default: the values are names
 */
export function auditNames<T>(values: readonly T[], nameOf: (value: T) => unknown = (name) => name): { name?: string } {
  const name = values.slice(0, namedAtMost).map(nameOf).join(', ').slice(0, maxNameLength)
  return name ? { name } : {}
}
