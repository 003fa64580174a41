import type { FileColumns } from '../../engine/define/column.ts'
import { userNameIn } from '../user/userNames.ts'

export const onlineUserFile: FileColumns = {
  user_id: [
    {
      text: ({ user_id }, context) =>
        user_id
          ? userNameIn(context, Number(user_id))
          : context.language.translate('resources.online-user.values.guest'),
    },
  ],
}
