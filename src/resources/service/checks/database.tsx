import { useCheckForm } from './checkForm.ts'
import { CheckGrid, CheckText } from './controls.tsx'
import { TlsFlags } from './protocols.tsx'

/** What a query looks like, by the kind of the check. */
const queries: Readonly<Record<string, string>> = {
  postgres: 'SELECT 1',
  mysql: 'SELECT 1',
  redis: 'GET key',
  mongodb: '{"find": "jobs", "filter": {"state": "done"}}',
}

/** The fields of a check of a database server. */
export function DatabaseFields() {
  const { check } = useCheckForm()
  const isMongodb = check.kind === 'mongodb'
  return (
    <>
      <CheckGrid>
        <CheckText name="user" help={check.kind === 'redis' ? undefined : 'user'} />
        <CheckText name="password" isSecret />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="database" help={isMongodb ? 'database' : undefined} />
        <CheckText name="query" help={isMongodb ? 'command' : 'query'} placeholder={queries[String(check.kind)]} />
      </CheckGrid>
      <TlsFlags />
    </>
  )
}
