/** @jsxImportSource preact */
import { formatBytes } from '../components/format/format.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'
import { ServerCharts } from './charts/ServerCharts.tsx'
import { useLanguage } from './parts/language.ts'
import { countryName } from './servers/country.ts'
import { ServerCard } from './servers/ServerCard.tsx'

/** What visitors see of one server. */
export function ServerPage({ id, status }: { id: number; status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  const server = status.servers.find((each) => each.id === id)
  const back = (
    <p>
      <a href="/">← {texts.allServers}</a>
    </p>
  )
  if (!server) {
    return (
      <>
        <h1>{texts.notFound}</h1>
        {back}
      </>
    )
  }
  const { platform, arch, virtualization, cpu, mem_total, disk_total, country_code = '' } = server
  const facts = [
    [texts.country, countryName(country_code, locale)],
    [texts.system, [platform, arch, virtualization].filter(Boolean).join(', ')],
    [texts.processor, cpu?.join(', ')],
    [texts.memory, mem_total && formatBytes(mem_total, locale)],
    [texts.disk, disk_total && formatBytes(disk_total, locale)],
  ] as const
  return (
    <>
      {back}
      <h1>{server.name}</h1>
      <ul class="cards one">
        <ServerCard server={server} status={status} />
        <li class="panel card">
          <dl class="facts wide">
            {facts.map(
              ([name, value]) =>
                value && (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ),
            )}
          </dl>
        </li>
      </ul>
      <ServerCharts id={id} />
    </>
  )
}
