export const ownSessions = {
  own_sessions: {
    title: '已登录的位置',
    hint: '此账号当前登录的所有位置。如有不认识的，请结束该会话并修改密码。',
    end_others: '结束其他所有会话',
    others_ended: '其他所有会话已结束。',
    ended: '会话已结束。',
    end: '结束会话',
    end_named: '结束会话：%{device} %{address}',
    current: '当前会话',
    since: '登录时间',
    unknown_device: '未知设备',
  },
}
