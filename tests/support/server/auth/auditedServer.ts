import { type AuditLine, openAuditLog } from '../../../../server/audit/auditLog.ts'
import type { Browser } from '../../console/browser.ts'
import { signedIn, type TestServer, testServer } from '../testServer.ts'

export interface AuditedServer {
  server: TestServer
  /** Its administrator, signed in. */
  admin: Browser
  /** What is in the audit log, the oldest first. */
  lines: AuditLine[]
}

/** A server that keeps its audit log in memory. */
export async function auditedServer(): Promise<AuditedServer> {
  const lines: AuditLine[] = []
  const server = await testServer({ audit: openAuditLog({ lines }) })
  return { server, admin: await signedIn(server), lines }
}
