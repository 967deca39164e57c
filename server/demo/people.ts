export type Person = {
  username: string;
  color: string;
  jersey: string;
  skill: number;
  /** The number of games per week. */
  games: [least: number, most: number];
};

const person = (
  username: string,
  color: string,
  jersey: string,
  skill: number,
  ...games: [number, number]
): Person => ({ username, color, jersey, skill, games });

/**
 * The demo account comes first. The fifth team is about as good as the first, and is its opponent
 * in the fifth week.
 */
export const TEAMS: { name: string; people: Person[] }[] = [
  {
    name: 'Brick City Bankers',
    people: [
      person('Maya_Banks', '#377ADC', '23', 372, 9, 13),
      person('Dee-Three', '#DC7A37', '03', 341, 6, 9),
      person('GlassJoe', '#37DCC5', '11', 318, 4, 8),
      person('Lil_Swish', '#DC37B4', '08', 275, 3, 6),
      person('Pivot_Pete', '#7ADC37', '44', 246, 4, 7),
    ],
  },
  {
    name: 'Air Ballers',
    people: [
      person('Windmill', '#376CDC', '21', 342, 4, 8),
      person('Jo-Jo', '#DC37DC', '10', 297, 5, 9),
      person('Tomasz', '#37DC45', '04', 279, 3, 7),
      person('Paper_Ball', '#DCD337', '00', 236, 2, 6),
      person('Off_Target', '#9237DC', '88', 205, 3, 6),
    ],
  },
  {
    name: 'Net Profits',
    people: [
      person('Swishlord', '#DC3737', '01', 421, 6, 9),
      person('Cash_Out', '#37DC8F', '50', 352, 5, 8),
      person('Banksy', '#8437DC', '20', 330, 4, 8),
      person('K_O_K', '#DC9F37', '99', 288, 3, 6),
      person('Olu_Nets', '#3752DC', '15', 251, 2, 5),
    ],
  },
  {
    name: 'Glass Cannons',
    people: [
      person('Top_Shelf', '#37DCDC', '12', 405, 4, 7),
      person('Boomer7', '#DC3791', '77', 322, 5, 9),
      person('Fast_Freya', '#A9DC37', '05', 301, 4, 7),
      person('Airmax', '#B437DC', '90', 268, 3, 6),
      person('Juke_Box', '#DC5E37', '45', 229, 3, 8),
    ],
  },
  {
    name: 'Rim Reapers',
    people: [
      person('Grim_Rim', '#5E37DC', '13', 388, 5, 9),
      person('Hook_Shot', '#DC3752', '33', 335, 5, 8),
      person('Ravi_23', '#37A9DC', '24', 309, 4, 8),
      person('Scythe', '#37DC69', '66', 282, 3, 7),
      person('NoLookNia', '#DCC537', '07', 260, 4, 6),
    ],
  },
  {
    name: 'Buzzer Beaters',
    people: [
      person('Clutch_Kim', '#DC4537', '09', 412, 5, 9),
      person('ACE', '#3791DC', '14', 368, 4, 8),
      person('Rimshot', '#37DCA9', '30', 304, 4, 7),
      person('Last_Second', '#D337DC', '55', 271, 3, 6),
      person('Yuki_00', '#6CDC37', '02', 255, 3, 7),
    ],
  },
];

export const WITHOUT_LEAGUE_MODE = ['Off_Target', 'Juke_Box'];

/** The venue whose staff run the league. */
export const HOME = 'Dockside Arcade';
export const HOOPS: { name: string; venue: string }[] = [
  { name: 'Hoop 1', venue: HOME },
  { name: 'Hoop 2', venue: HOME },
  { name: 'Hoop 3', venue: HOME },
  { name: 'Hoop 4', venue: 'Station Bowl' },
  { name: 'Hoop 5', venue: 'Station Bowl' },
];
