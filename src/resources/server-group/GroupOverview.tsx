import Button from '@mui/material/Button'
import { LinkBase, type RaRecord, RecordContextProvider, useBasename, useTranslate } from 'react-admin'
import { OverviewPage } from '../../components/overview/OverviewPage.tsx'
import { RelatedList } from '../../components/overview/RelatedList.tsx'
import { Panel } from '../../components/Panel.tsx'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import { service } from '../../schemas/service.ts'
import ServiceStatus from '../service/ServiceStatus.tsx'
import { GroupMetricRow } from './GroupMetricRow.tsx'
import { GroupServers } from './GroupServers.tsx'
import { GroupTrouble } from './GroupTrouble.tsx'
import { useGroupServices } from './useGroupServices.ts'

/** Everything about the servers of one group. */
export default function GroupOverview() {
  return (
    <OverviewPage
      state={(group) => <Count group={group} />}
      banner={(group) => <GroupTrouble group={group} />}
      buttons={(group) => <ListButton group={group} />}
      metrics={(group) => <GroupMetricRow group={group} />}
      main={(group) => <GroupServers key={group.id} group={group} />}
      aside={(group) => <Relations group={group} />}
    />
  )
}

function Count({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const smart_count = (group.servers ?? []).length
  return <small>{translate('resources.server.counted', { smart_count })}</small>
}

/** The list of servers with the filter by this group, where they can be acted on. */
function ListButton({ group }: { group: RaRecord }) {
  const basename = useBasename()
  const translate = useTranslate()
  return (
    <Button
      component={LinkBase}
      to={`${basename}${filteredList({ group: String(group.id) })}`}
      variant="outlined"
      color="inherit"
    >
      {translate('app.group.list')}
    </Button>
  )
}

/** What belongs to a group: the services that are checked from its servers. */
function Relations({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const services = useGroupServices(group)
  return (
    <Panel title={translate('app.overview.belongings')}>
      <RelatedList
        entity={service}
        title={translate('app.charts.metrics.services')}
        isRelated={({ id }) => services.has(Number(id))}
        detail={(record) => (
          <RecordContextProvider value={record}>
            <ServiceStatus />
          </RecordContextProvider>
        )}
      />
    </Panel>
  )
}
