import { serverNow } from '../../live/serverClock.ts'
import type { FileColumns } from '../../resources/engine/define/column.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { ddnsSummaryText } from '../format/ddnsText.ts'

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
