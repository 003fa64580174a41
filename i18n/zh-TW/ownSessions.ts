export const ownSessions = {
  own_sessions: {
    title: '已登入的位置',
    hint: '此帳號目前登入的所有位置。如有不認得的，請結束該工作階段並變更密碼。',
    end_others: '結束其他所有工作階段',
    others_ended: '其他所有工作階段已結束。',
    ended: '工作階段已結束。',
    end: '結束工作階段',
    end_named: '結束工作階段：%{device} %{address}',
    current: '目前的工作階段',
    since: '登入時間',
    unknown_device: '未知裝置',
  },
}
