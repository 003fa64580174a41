import { join } from 'node:path'
import { expect, it } from 'vitest'
import { signInAt } from '../../../support/server/process/serverProcess.ts'
import { startServerHere } from '../../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

const password = 'correct horse'

it('a real-IP header that locks everybody out is replaced by REAL_IP_HEADER at the next start, and stays replaced', async () => {
  const settings = { DATA_DIR: join(temporaryFolder(), 'data') }
  const first = await startServerHere({ ...settings, ADMIN_PASSWORD: password })
  const { cookies } = await signInAt(first.address, 'admin', password)
  const cookie = cookies.map((one) => one.split(';')[0]).join('; ')
  const csrf = /nz-csrf=([^;]+)/.exec(cookie)?.[1] ?? ''
  const saved = await fetch(`${first.address}/api/v1/setting`, {
    method: 'PATCH',
    headers: { cookie, 'x-csrf-token': decodeURIComponent(csrf) },
    body: JSON.stringify({
      site_name: 'x',
      language: 'en-US',
      user_template: 'user-dist',
      web_real_ip_header: 'X-Nobody',
    }),
  })
  expect(await saved.json()).toEqual({ success: true })
  const shutOut = { error: 'real ip header not found' }
  expect((await signInAt(first.address, 'admin', password)).body).toEqual(shutOut)
  await first.stop()

  const second = await startServerHere({ ...settings, REAL_IP_HEADER: 'NZ::Use-Peer-IP' })
  expect((await signInAt(second.address, 'admin', password)).body).toMatchObject({ success: true })
  await second.stop()

  const third = await startServerHere(settings)
  expect((await signInAt(third.address, 'admin', password)).body).toMatchObject({ success: true })
})
