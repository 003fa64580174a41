import type { FileColumns } from '../../engine/define/column.ts'
import { serverNow } from '../../live/serverClock.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { ddnsSummaryText } from './ddnsText.ts'

export const ddnsFile: FileColumns = {
  last_update: [
    {
      text: ({ id }, { snapshot, language }) => {
        const summaries = (snapshot ?? []) as readonly DdnsSummary[]
        return ddnsSummaryText(
          summaries.find(({ profile_id }) => profile_id === id),
          serverNow(),
          language,
        )
      },
    },
  ],
}
