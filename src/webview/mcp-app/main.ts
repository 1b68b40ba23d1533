import './theme.css';
import './connect.ts';
import '../chart/main.tsx';
