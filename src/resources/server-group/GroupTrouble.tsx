import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { type RaRecord, useTranslate } from 'react-admin'
import { ShowAllButton, useFirstRows } from '../../components/overview/useFirstRows.tsx'
import { isZeroTime } from '../../live/lastReport.ts'
import { useTrouble } from '../../live/trouble.ts'
import { TroubleLine, TroubleList } from '../server/trouble/TroubleLine.tsx'
import { useGroupServers } from './useGroup.ts'
import { useGroupServices } from './useGroupServices.ts'

/** More lines come with a button. */
const firstShown = 6

/** What is wrong with the servers of a group and with the services that are checked from them, worst first. */
export function GroupTrouble({ group }: { group: RaRecord }) {
  const translate = useTranslate()
  const troubles = useTrouble((state) => state.troubles)
  const services = useGroupServices(group)
  const found = useMemo(() => {
    const servers = new Set<number>(group.servers)
    return (troubles ?? []).filter(
      (trouble) =>
        ('server_id' in trouble && servers.has(trouble.server_id)) ||
        ('service_id' in trouble && services.has(trouble.service_id)),
    )
  }, [troubles, services, group.servers])
  const { shown, hidden, showAll } = useFirstRows(found, firstShown)
  const { rows } = useGroupServers(group)
  if (!troubles) return <Place lines={rows?.filter(({ last_active }) => isZeroTime(last_active)).length ?? 0} />
  if (found.length === 0) return null
  return (
    <Frame>
      <TroubleList label={translate('app.trouble.label')}>
        {shown.map((trouble) => (
          <TroubleLine key={trouble.key} trouble={trouble} />
        ))}
      </TroubleList>
      <ShowAllButton hidden={hidden} showAll={showAll} />
    </Frame>
  )
}

/** Room for the servers that are offline by their record, until it is known what is wrong: nothing below moves then. */
function Place({ lines }: { lines: number }) {
  if (lines === 0) return null
  const shown = Math.min(lines, firstShown)
  const more = lines > firstShown ? moreHeight : 0
  return <Frame sx={{ height: { xs: shown * 53 + 1 + more, md: shown * 36 + shown + 1 + more } }} />
}

/** Pixels: the button below the lines. */
const moreHeight = 30

const Frame = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(2),
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
