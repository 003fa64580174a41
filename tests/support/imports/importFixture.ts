import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { ImportPlanReply } from '../../../src/schemas/endpoints/importEndpoints.ts'
import { type ImportKind, importPartBytes } from '../../../src/schemas/imports/importKinds.ts'
import type { Browser } from '../console/browser.ts'
import { temporaryFolder } from '../server/temporaryFolder.ts'

/** The databases of other products, written by the real programs; what is in them is made up. */
export const importFixtures = {
  'nezha-1': 'nezha-1.14.14.sqlite',
  'nezha-2': 'nezha-2.3.7.sqlite',
  'uptime-kuma': 'uptime-kuma-2.5.3.sqlite',
  beszel: 'beszel-0.18.8.sqlite',
  komari: 'komari-1.4.3.sqlite',
} as const

export type ImportFixture = keyof typeof importFixtures

export const fixtureBytes = (name: ImportFixture): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, `${importFixtures[name]}.gz`)))

/** The text of the settings file that belongs to it. */
export const fixtureSettings = (name: 'nezha-1' | 'nezha-2'): string =>
  readFileSync(join(import.meta.dirname, importFixtures[name].replace(/sqlite$/, 'config.yaml')), 'utf8')

/** A copy of a database as a file, until the test is over. */
export function fixtureFile(name: ImportFixture, bytes: Uint8Array = fixtureBytes(name)): string {
  const path = join(temporaryFolder(), importFixtures[name])
  writeFileSync(path, bytes)
  return path
}

/** What the server says of a file that a browser uploads. */
export interface PlannedImport {
  file: string
  plan?: ImportPlanReply
  refusal?: { code: string; args: Record<string, unknown> }
}

/** Uploads a file in parts, as the console does, and asks for a plan. */
export async function planUpload(
  browser: Browser,
  { kind, bytes, settings = '' }: { kind: ImportKind; bytes: Buffer; settings?: string },
): Promise<PlannedImport> {
  const { file } = await dataOf<{ file: string }>(browser, 'wheelhouse/import-files', { bytes: bytes.length })
  for (let offset = 0; offset < bytes.length; offset += importPartBytes) {
    const part = bytes.subarray(offset, offset + importPartBytes)
    await dataOf(browser, `wheelhouse/import-files/${file}/parts?offset=${offset}`, part)
  }
  const planned = await dataOf<object>(browser, `wheelhouse/import-files/${file}/plan`, { kind, settings })
  return { file, ...planned }
}

/** The data of a call that succeeds. */
export async function dataOf<T>(browser: Browser, path: string, body?: unknown): Promise<T> {
  const { body: reply, text } = await browser.call(body === undefined ? 'GET' : 'POST', path, { body })
  const { success, data } = reply as { success?: boolean; data: T }
  if (!success) throw new Error(text)
  return data
}

/** Plans and applies a file. */
export async function importUpload(browser: Browser, upload: Parameters<typeof planUpload>[1]) {
  const { file, plan, refusal } = await planUpload(browser, upload)
  if (!plan) throw new Error(`refused: ${refusal?.code}`)
  const made = await dataOf<{ id: number; created: number; updated: number }>(browser, 'wheelhouse/imports', {
    file,
    digest: plan.digest,
    name: 'file.sqlite',
  })
  return { plan, made }
}
