import { seedOf, shareOf } from '#sandbox/random.ts';
import type { Contact } from './contact.ts';

const names: Record<string, { family: string[]; given: string[] }> = {
  'zh-TW': {
    family: ['陳', '林', '黃', '張', '李', '王', '吳', '劉', '蔡', '楊', '許', '鄭'],
    given: ['怡君', '雅婷', '家豪', '志明', '淑芬', '俊傑', '佳穎', '冠宇', '詩涵', '承恩', '品妍', '宥翔'],
  },
  en: {
    family: ['Adams', 'Baker', 'Carter', 'Diaz', 'Evans', 'Foster', 'Grant', 'Hayes', 'Irwin', 'Jensen'],
    given: ['Mia', 'Noah', 'Olivia', 'Liam', 'Ava', 'Ethan', 'Zoe', 'Lucas', 'Ruby', 'Owen', 'Isla', 'Theo'],
  },
  ja: {
    family: ['佐藤', '鈴木', '高橋', '田中', '伊藤', '渡辺', '山本', '中村'],
    given: ['陽菜', '蓮', '結衣', '大和', '葵', '湊', '凛', '悠真', '美咲', '翔太'],
  },
};
const languages = ['zh-TW', 'zh-TW', 'zh-TW', 'en', 'ja'];
const regions = ['Taipei', 'New Taipei', 'Taoyuan', 'Taichung', 'Tainan', 'Kaohsiung', 'Hsinchu'];
const channels = ['default', 'default', 'line', 'whatsapp', 'messenger'];
const tiers = ['basic', 'basic', 'silver', 'gold'];

function pick(list: string[], seed: number, purpose: number): string {
  return list[Math.floor(shareOf(seed, 0, purpose) * list.length)] ?? '';
}

/** The person behind a generated id: always the same. */
export function describeGenerated(contactId: string): Contact {
  const seed = seedOf(contactId);
  const language = pick(languages, seed, 0);
  const people = names[language] ?? { family: [''], given: [''] };
  const family = pick(people.family, seed, 1);
  const given = pick(people.given, seed, 2);
  return {
    contactId,
    displayName: language === 'en' ? `${given} ${family}` : language === 'ja' ? `${family} ${given}` : family + given,
    channel: pick(channels, seed, 3),
    language,
    region: pick(regions, seed, 4),
    attributes: { tier: pick(tiers, seed, 5), birthMonth: 1 + Math.floor(shareOf(seed, 0, 6) * 12) },
    following: true,
    unsubscribed: false,
    labels: [],
  };
}
