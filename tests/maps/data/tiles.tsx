<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="tiles" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="tiles.png" width="128" height="16"/>
 <tile id="0">
  <objectgroup draworder="index"><object id="1" x="0" y="0" width="16" height="16"/></objectgroup>
 </tile>
 <tile id="1">
  <objectgroup draworder="index">
   <object id="1" x="0" y="16"><polygon points="0,0 16,-16 16,0"/></object>
  </objectgroup>
 </tile>
 <tile id="2">
  <objectgroup draworder="index">
   <object id="1" x="0" y="16"><polygon points="0,0 16,-8 16,0"/></object>
  </objectgroup>
 </tile>
 <tile id="3">
  <objectgroup draworder="index">
   <object id="1" x="0" y="8"><polygon points="0,0 16,-8 16,8 0,8"/></object>
  </objectgroup>
 </tile>
 <tile id="4" type="one_way">
  <objectgroup draworder="index"><object id="1" x="0" y="0" width="16" height="4"/></objectgroup>
 </tile>
 <tile id="5">
  <objectgroup draworder="index">
   <object id="1" x="4" y="4" width="8" height="8"><ellipse/></object>
   <object id="2" name="spark" x="8" y="2"><point/></object>
  </objectgroup>
 </tile>
 <tile id="6" type="water">
  <properties>
   <property name="trigger" type="bool" value="true"/>
   <property name="depth" type="float" value="1.5"/>
  </properties>
 </tile>
</tileset>
