/** Kinds of nodes, [MS-PST] 2.2.2.1: the low five bits of a node id. */
export const NODE_TYPE = {
  internal: 0x01,
  normalFolder: 0x02,
  searchFolder: 0x03,
  normalMessage: 0x04,
  attachment: 0x05,
  searchUpdateQueue: 0x06,
  searchCriteria: 0x07,
  associatedMessage: 0x08,
  hierarchyTable: 0x0d,
  contentsTable: 0x0e,
  associatedContentsTable: 0x0f,
  searchContentsTable: 0x10,
  value: 0x1f,
} as const;

/** Nodes every store has, [MS-PST] 2.4.1 and 2.7.1, and others that Outlook and its repair tool look for. */
export const NODE = {
  messageStore: 0x21,
  nameToIdMap: 0x61,
  rootFolder: 0x122,
  searchManagementQueue: 0x1e1,
  searchActivityList: 0x201,
  searchDomain: 0x261,
  hierarchyTableTemplate: 0x60d,
  contentsTableTemplate: 0x60e,
  associatedContentsTableTemplate: 0x60f,
  searchContentsTableTemplate: 0x610,
  receiveFolderTable: 0x62b,
  outgoingQueueTable: 0x64c,
  attachmentTable: 0x671,
  recipientTable: 0x692,
  contentsIndexTemplate: 0x6b6,
  searchIndexTemplate: 0x6d7,
  attachmentIndexTemplate: 0x6f8,
  searchFolderTemplate: 0xec1,
  spamSearchFolder: 0x2223,
  topOfPersonalFolders: 0x8022,
  searchRoot: 0x8042,
  deletedItems: 0x8062,
  commonViews: 0x8082,
} as const;

export function nodeId(type: number, index: number): number {
  return ((index << 5) | type) >>> 0;
}

/** The node of another kind that belongs to the same object: a folder's tables share its index. */
export function siblingNode(id: number, type: number): number {
  return ((id & ~0x1f) | type) >>> 0;
}

/** Where counting begins for each kind, [MS-PST] 2.2.2.6 `rgnid`; smaller numbers are the format's own. */
export function initialNodeIndexes(): number[] {
  const indexes = new Array<number>(32).fill(0x400);
  indexes[NODE_TYPE.normalFolder] = (NODE.commonViews >>> 5) + 1; // the folders every store has come first
  indexes[NODE_TYPE.searchFolder] = 0x4000;
  indexes[NODE_TYPE.normalMessage] = 0x10000;
  indexes[NODE_TYPE.associatedMessage] = 0x8000;
  return indexes;
}
